"""Gatefall: squares, Action Points and the gate of its first chapter."""

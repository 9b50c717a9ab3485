"""Gatefall: squares, Action Points and the Gate of its first chapter."""

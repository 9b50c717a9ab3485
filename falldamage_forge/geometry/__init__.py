"""Meshes of pieces, and the checks that they print and fit."""

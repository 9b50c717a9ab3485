"""Meshes of pieces, and the proofs that they print and fit."""

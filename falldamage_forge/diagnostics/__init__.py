"""Diagnostics for people and machines: the catalogue of codes and the output formats."""

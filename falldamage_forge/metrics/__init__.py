"""Metrics: measured values of a board, each with a verdict."""

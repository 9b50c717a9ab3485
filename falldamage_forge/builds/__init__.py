"""Builds: layout to print job to files."""

"""Diagnostics: the registry of codes, and issues as text, JSON, SARIF and GitHub annotations."""

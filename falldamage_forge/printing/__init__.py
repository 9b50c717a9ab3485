"""Printers, plates and estimates."""

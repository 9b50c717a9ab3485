"""Printers and processes, packing of plates, and estimates of filament and time."""

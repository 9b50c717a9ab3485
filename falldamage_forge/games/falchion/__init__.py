"""Falchion: sizes, moves and checks of its battle phase."""

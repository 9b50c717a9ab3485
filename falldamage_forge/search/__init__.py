"""Search: maps grown from parts, judged, kept and picked."""

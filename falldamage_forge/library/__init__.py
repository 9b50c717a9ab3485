"""Maps as a user of the library edits, plays and improves them; `forge.py` is its facade."""

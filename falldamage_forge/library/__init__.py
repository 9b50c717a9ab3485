"""Maps as the library reads, checks, edits and plays them; `forge.py` is its facade."""

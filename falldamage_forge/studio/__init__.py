"""The studio: a map's text, its board and what it means, in a browser on the same machine."""

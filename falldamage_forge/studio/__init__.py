"""Studio: the browser editor of a map's text and board, served on the same machine."""

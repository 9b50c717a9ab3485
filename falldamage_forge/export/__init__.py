"""Bytes of the files that are written: STL, 3MF, lists, manifest. No module here writes to disk."""

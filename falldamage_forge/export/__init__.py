"""Bytes of every file we write: STL, 3MF, lists, manifest. Nothing here touches the disk."""

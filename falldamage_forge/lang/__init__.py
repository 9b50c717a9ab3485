"""The layout language: source text in, one immutable Board out."""

from falldamage_forge.lang.layout import Layout, LoadResult
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.parser import parse

__all__ = ["Layout", "LoadResult", "load", "parse"]

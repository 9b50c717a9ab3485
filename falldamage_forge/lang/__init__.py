"""The layout language: text in, one immutable Board out."""

from falldamage_forge.lang.layout import Layout, Loaded
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.parse import parse

__all__ = ["Layout", "Loaded", "load", "parse"]

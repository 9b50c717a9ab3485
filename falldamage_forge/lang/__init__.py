"""The layout language: text in, one immutable Board out."""

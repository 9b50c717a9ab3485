"""Catalogue of pieces, and the plan that builds a board from them."""

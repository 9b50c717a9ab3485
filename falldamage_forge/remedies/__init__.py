"""Remedies of issues: changes of a board that correct them, tried before a hint names them."""

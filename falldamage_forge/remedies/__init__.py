"""Remedies of issues: changes of a board that mend them, tried before a hint tells them."""

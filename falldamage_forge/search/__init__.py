"""Map search: generate maps from parts, evaluate them, archive the best, select diverse ones."""

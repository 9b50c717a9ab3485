"""Maps as values: loaded, resolved, planned and checked."""

"""Events: the set for several tables, its print calendar, pairings and sheets."""

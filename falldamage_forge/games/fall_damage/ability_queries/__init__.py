"""Abilities of cards and treasure as queries: `ability_table.ABILITIES` has each by name."""

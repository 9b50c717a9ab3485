"""Names of the bots, for commands and pages that do not load the game."""

BOT_NAMES = (
    "random", "wary", "rusher", "hunter", "runner", "greedy", "careful",
    "search-1", "search-2", "search-3",
)  # fmt: skip
"""The names of `bots.BOTS`; a test compares them."""

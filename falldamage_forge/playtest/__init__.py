"""Playtests: bots play series of games on a map; metrics and verdicts have confidence intervals."""

"""Playing a map many times to judge it: bots, series of games, measures with intervals."""

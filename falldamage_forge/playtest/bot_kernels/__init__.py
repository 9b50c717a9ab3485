"""Bots as functions over the engine's columns, and the statistics of their games.

`playout.run_command` plays a whole game, interpreted or compiled; `batch_runner` gives it a map and
reads its counts.
"""

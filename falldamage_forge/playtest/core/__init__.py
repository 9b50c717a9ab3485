"""Bots over the engine's columns, and what their games leave behind.

`play.do` plays a whole game, interpreted or compiled; `drive` gives it a map and reads its counts.
"""

"""The rules over a Board: move, fall, push, see, reach; and what makes a map playable."""

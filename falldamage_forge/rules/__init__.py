"""The rules of the game over a Board: move, fall, push, see, reach; and what makes a map playable."""

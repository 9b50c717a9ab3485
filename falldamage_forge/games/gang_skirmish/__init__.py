"""Gang skirmish: edges, leaps, falls and shoves of its chapter on edges and falling."""

"""Gang skirmish: edges, leaps, falls and knockback of its chapter on edges and falling."""

"""Fall Damage: its options, units, moves, pushes, attacks, sight and abilities."""

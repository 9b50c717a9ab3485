"""Fall Damage: options, units, movement, pushes, attacks, line of sight and abilities."""

"""Fall Damage, written once over a state whose columns have names."""

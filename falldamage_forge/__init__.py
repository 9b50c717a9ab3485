"""FallDamage Forge: from a text layout to a printed, playable table."""

__version__ = "0.1.0"

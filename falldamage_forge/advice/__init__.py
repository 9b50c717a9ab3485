"""What to change about a map so that it is fairer: small edits, each tried and measured again."""

from falldamage_forge.advice.remedies import Change, Remedy, suggest

__all__ = ["Change", "Remedy", "suggest"]

"""Suggestions: small edits that make a map fairer, each applied and measured."""

from falldamage_forge.library.suggestions.local_search import MetricChange, Suggestion, suggest

__all__ = ["MetricChange", "Suggestion", "suggest"]

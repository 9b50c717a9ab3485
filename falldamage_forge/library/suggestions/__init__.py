"""Suggestions: small edits that make a map fairer, each applied and measured."""

"""Rulesets: movement graphs and queries of several rulebooks, for one rules engine."""

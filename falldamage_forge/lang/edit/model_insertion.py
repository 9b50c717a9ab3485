"""Model insertion: a map's text with the block of a model, and its `place`."""

from __future__ import annotations

from falldamage_forge.lang import ast
from falldamage_forge.lang.model_block import ModelBlock, block_lines
from falldamage_forge.lang.parser import parse

BEFORE = (ast.Header, ast.Import, ast.Settings, ast.Units, ast.Define, ast.ModelBlock, ast.Symmetry)
"""Statements that stand before those of the terrain."""


def with_model(text: str, model: ModelBlock, path: str, at: str | None = None) -> str:
    """Return a map's text with a model; the rest of the text stays.

    Args:
        text: Source of the map.
        model: The model.
        path: Path of its file, relative to the map.
        at: Tile of its north-west corner; None to leave it off the board.
    """
    document, _ = parse(text, "map")
    lines = text.splitlines()
    ends = [
        statement.whole.end_line if isinstance(statement, ast.Block) else statement.span.end_line
        for statement in document.statements
        if isinstance(statement, BEFORE)
    ]
    after = max(ends, default=len(lines))
    block = [*block_lines(model, path)]
    placed = [f"place {model.name} at {at}"] if at else []
    return "\n".join((*lines[:after], *block, *lines[after:], *placed)) + "\n"

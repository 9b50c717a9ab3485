"""`fdforge ast`: print the syntax tree of a source."""

from __future__ import annotations

import json
import sys

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import echo_issues
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.maps.resolve import resolve_map_path


@option.command
def command(
    map_name: str | None = option.any_map("MAP", required=False),
    as_json: bool = option.JSON,
    schema: bool = option.flag(
        "Print the JSON Schema of the tree and exit.",
        de="Schreibt das JSON-Schema des Baums und endet.",
    ),
) -> None:
    """Print the syntax tree of MAP before expansion.

    Statements without errors are printed even if other lines have errors; then it exits 1.
    """
    from falldamage_forge.lang import parse
    from falldamage_forge.lang.ast_schema import as_values, json_schema

    if schema:
        click.echo(json.dumps(json_schema(), indent=2))
        return
    if map_name is None:
        raise click.UsageError("name a MAP, or use --schema")
    sources = SourceLoader()
    name, text = sources.read_main(resolve_map_path(map_name))
    document, issues = parse(text, name)
    echo_issues(issues, sources.texts)
    if as_json:
        click.echo(json.dumps(as_values(document), indent=2, ensure_ascii=False))
    else:
        from falldamage_forge.lang.unparse import head_text

        _outline(document.statements, head_text)
    sys.exit(1 if issues else 0)


def _outline(statements: object, head_text: object, depth: int = 0) -> None:
    assert isinstance(statements, tuple)
    assert callable(head_text)
    from falldamage_forge.lang.ast_schema import node_name

    for item in statements:
        click.echo(f"{'  ' * depth}{node_name(item)}: {head_text(item)}")
        _outline(getattr(item, "body", ()), head_text, depth + 1)

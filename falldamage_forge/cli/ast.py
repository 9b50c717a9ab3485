"""`fdforge ast`: the tree of a source."""

from __future__ import annotations

import json
import sys

import click

from falldamage_forge.called import map_path
from falldamage_forge.cli import complete
from falldamage_forge.cli.common import echo_issues
from falldamage_forge.files import Sources


@click.command()
@click.argument("map_name", metavar="MAP", required=False, shell_complete=complete.maps)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the tree and stop.")
def command(map_name: str | None, as_json: bool, schema: bool) -> None:
    """Print the tree of MAP as it is written, before anything is expanded.

    What could be understood is printed even if there are errors; these make it exit 1.
    """
    from falldamage_forge.lang import parse
    from falldamage_forge.lang.schema import as_values, json_schema

    if schema:
        click.echo(json.dumps(json_schema(), indent=2))
        return
    if map_name is None:
        raise click.UsageError("name a MAP, or use --schema")
    sources = Sources()
    name, text = sources.read_main(map_path(map_name))
    document, issues = parse(text, name)
    echo_issues(issues, sources.texts)
    if as_json:
        click.echo(json.dumps(as_values(document), indent=2, ensure_ascii=False))
    else:
        from falldamage_forge.lang.write import head_text

        _outline(document.statements, head_text)
    sys.exit(1 if issues else 0)


def _outline(statements: object, head_text: object, depth: int = 0) -> None:
    assert isinstance(statements, tuple)
    assert callable(head_text)
    for item in statements:
        click.echo(f"{'  ' * depth}{type(item).__name__}: {head_text(item)}")
        _outline(getattr(item, "body", ()), head_text, depth + 1)

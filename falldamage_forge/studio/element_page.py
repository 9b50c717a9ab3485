"""The page's own files about elements: tools with icons and labels, and words of the language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.element import Tool

MODULE = "elements.js"
"""File that the page's scripts import; it is made from the registry."""
ICONS = "icons.svg"


def _tools() -> Iterator[dict[str, Any]]:
    """Yield the tools as the page's `tools.js` takes them."""
    for word, element in ELEMENTS.items():
        known = element.everywhere or element.field != "fittings"
        for tool in element.tools:
            table = {"group": tool.group, "key": tool.key, "name": tool.name, "order": tool.order}
            more = {"words": tool.words, "side": tool.side, "beside": tool.beside}
            yield {
                **table,
                **{key: value for key, value in more.items() if value},
                **({} if known else {"fitting": word}),
            }


def _labels() -> dict[str, dict[str, str]]:
    """Return the names of the tools, by language."""
    labels: dict[str, dict[str, str]] = {}
    for element in ELEMENTS.values():
        for tool in element.tools:
            for language, label in tool.labels.items():
                labels.setdefault(language, {})[tool.name] = label
    return labels


def elements_module() -> bytes:
    """Return the JavaScript module of the elements."""
    tables = {"TOOLS": list(_tools()), "LABELS": _labels(), "STATEMENTS": list(ELEMENTS)}
    lines = ["// Made from the registry of elements: tools, their names, words of statements."]
    lines += [
        f"export const {name} = {json.dumps(table, ensure_ascii=False, indent=1)};"
        for name, table in tables.items()
    ]
    return ("\n".join(lines) + "\n").encode()


def _symbol(tool: Tool) -> str:
    """Return the SVG symbol of a tool."""
    tint = 'fill="currentColor" fill-opacity=".18"' + ' stroke="none"' * (not tool.outlined)
    paths = [f'  <path {tint} d="{tool.fill}"/>\n' if tool.fill else ""]
    paths += [f'  <path d="{tool.line}"/>\n' if tool.line else ""]
    return f'<symbol id="{tool.name}" viewBox="0 0 24 24">\n{"".join(paths)}</symbol>\n'


def with_icons(svg: bytes) -> bytes:
    """Return the page's symbols with those of the elements' tools."""
    symbols = "".join(_symbol(tool) for element in ELEMENTS.values() for tool in element.tools)
    return svg.replace(b"</svg>", symbols.encode() + b"</svg>")


def page_file(name: str, data: bytes) -> bytes:
    """Return a file of the page as it is served.

    Args:
        name: Its name.
        data: Its content in the package.
    """
    return with_icons(data) if name == ICONS else data

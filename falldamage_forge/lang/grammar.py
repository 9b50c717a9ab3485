"""LALR parser of one statement, made from `grammar.lark` and the elements.

Its tables are cached on disk: computing them takes longer than reading a map, loading them takes a
twelfth of that time.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra import disk_cache as store

if TYPE_CHECKING:
    from lark import Lark


def grammar_text() -> str:
    """Return the grammar: `grammar.lark` with a line for each element, and its word as alias."""
    text = Path(__file__).with_name("grammar.lark").read_text("utf-8")
    rules = "\n".join(f"    | {x.rule} -> {x.form}__{word}" for word, x in ELEMENTS.items())
    flags = dict.fromkeys(x.flag for x in ELEMENTS.values() if x.flag)
    terminals = "".join(f'{flag.upper()}: "{flag}"\n' for flag in flags)
    return text.replace("    // the statements of elements", rules) + terminals


@cache
def grammar() -> Lark:
    """Return the parser, made once a process, from cached tables if there are any."""
    import lark

    text = grammar_text()
    version = f"grammar-lark-{lark.__version__}"
    key = hashlib.sha256(text.encode()).hexdigest()
    cached = store.get(version, key)
    if cached is not None:
        try:
            return lark.Lark.load(_Tables(io.BytesIO(cached)).load())
        except (pickle.UnpicklingError, KeyError, TypeError, ValueError):
            pass  # another program wrote it: compute the tables again
    parser = lark.Lark(text, parser="lalr", lexer="contextual", propagate_positions=True)
    stream = io.BytesIO()
    parser.save(stream)
    store.put(version, key, stream.getvalue())
    return parser


class _Tables(pickle.Unpickler):
    """Unpickles plain values only, never classes, so that a file on disk runs no code."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} in the tables of a grammar")

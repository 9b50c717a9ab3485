"""The LALR parser of one statement: made from `grammar.lark`, its tables kept on disk.

To work the tables out takes longer than to read a map; to read them back takes a twelfth of that.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge import cache as store

if TYPE_CHECKING:
    from lark import Lark


@cache
def grammar() -> Lark:
    """The parser; once a process, and from the kept tables of the same grammar if there are any."""
    import lark

    text = Path(__file__).with_name("grammar.lark").read_text("utf-8")
    version = f"grammar-lark-{lark.__version__}"
    key = hashlib.sha256(text.encode()).hexdigest()
    kept = store.get(version, key)
    if kept is not None:
        try:
            return lark.Lark.load(_Tables(io.BytesIO(kept)).load())
        except (pickle.UnpicklingError, KeyError, TypeError, ValueError):
            pass  # of another program: made anew
    made = lark.Lark(text, parser="lalr", lexer="contextual", propagate_positions=True)
    stream = io.BytesIO()
    made.save(stream)
    store.put(version, key, stream.getvalue())
    return made


class _Tables(pickle.Unpickler):
    """Reads tables, texts and numbers, and never a class: a file on disk makes nothing run."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} in the tables of a grammar")

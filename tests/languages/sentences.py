"""The English sentences that a module can form, with a sample in the place of each value."""

import ast
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"


def sentences(module: str) -> set[str]:
    """Texts of several words in a module; docstrings and bare names are left out.

    So are the texts of a call that has their German, as options do.
    """
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    docs |= {id(said) for node in ast.walk(tree) for said in _with_german(node)}
    texts = {text for node in ast.walk(tree) for text in _texts(node, docs)}
    return {text for text in texts if re.search(r"[a-z]{2}", re.sub("X[0-9]", "", text))}


def _with_german(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and any(one.arg == "de" for one in node.keywords):
        yield from (*node.args, *(one.value for one in node.keywords))


def _texts(node: ast.AST, docs: set[int]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.JoinedStr) or id(child) in docs:
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            text = child.value
        elif isinstance(child, ast.JoinedStr):
            text = "".join(map(_part, child.values, count(1)))
        else:
            continue
        if " " in text.strip():
            yield text


def _part(value: ast.expr, number: int) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else f"X{number}"

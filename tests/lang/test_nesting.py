"""Blocks and definitions within each other: any depth, sound or half typed, is answered."""

from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.issues import has_errors
from falldamage_forge.lang import load
from falldamage_forge.lang.block_scanner import MAX_DEPTH
from falldamage_forge.lang.expansion import MAX_NESTING
from tests.lang.programs import many

inmost = st.sampled_from(
    ["tree at A1", "tree at", "place", "place d0 at A1", "place p1 at B2", "{"]
)
heads = st.sampled_from(["mirror x", "rotate 90", "mirror", "rotate"])


@many(20, 300)
@given(
    st.integers(0, MAX_DEPTH + 2),
    st.integers(1, MAX_NESTING + 3),
    heads,
    st.lists(inmost, min_size=1, max_size=2),
)
def test_nested_blocks_and_definitions_are_answered(
    blocks: int, definitions: int, head: str, last: list[str]
) -> None:
    """A definition that contains itself or an error has an answer, however deep it lies."""
    text = "forge 1\nboard 10x10\n"
    for index in range(definitions):
        body = [f"place d{index + 1} at A1"] if index < definitions - 1 else last
        inner = "\n".join(body)
        text += f"define d{index} {{\n" + f"{head} {{\n" * blocks + inner + "\n}" * blocks + "\n}\n"
    issues = load(text + "place d0 at A1\n", "x").issues
    half_typed = blocks > 0 and head in ("mirror", "rotate")
    if half_typed or set(last) != {"tree at A1"}:
        assert has_errors(issues)


def test_a_piece_of_half_typed_placements_keeps_its_own_size() -> None:
    """The size of a piece is that of its own statements, within its blocks, too."""
    text = (
        "forge 1\nboard 10x10\ndefine a {\nmirror x {\nplace a at A1\nplace\n}\n}\nplace a at A1\n"
    )
    assert has_errors(load(text, "x").issues)

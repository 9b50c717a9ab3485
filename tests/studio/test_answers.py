"""Whatever a page says in the protocol's words is answered, and never raises."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.studio.message_handlers import CHANGES, QUESTIONS, handle_message
from falldamage_forge.studio.protocol import CHOICES, FIELDS, BadMessage, read_message
from falldamage_forge.studio.session import Session
from tests.studio.telling import fits

TEXT = 'forge 1\nboard 5x5\nstack C3 height 1\nstart red at A1\n# "é"\n'
WORDS = ("C3", "Z99", "A1@7", "", "@", "raise C3", "stamp castle.keep at A1", "stamp x.y at A1")
words = st.one_of(st.sampled_from(WORDS), st.text(max_size=12))
anything: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 9), st.floats(), words),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=4,
)
edits = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), words).map(list), max_size=3)
names = st.sampled_from(["style", "printer", "price", "variants", "red", "seed", "move", "draw"])
BY_TYPE: dict[type, st.SearchStrategy[Any]] = {
    str: words,
    int: st.integers(-3, 60),
    bool: st.booleans(),
    list: edits,
    dict: st.dictionaries(names, anything, max_size=3),
}


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message of the protocol with any values of the right types; often of this text."""
    kind = draw(st.sampled_from(sorted({*CHANGES, *QUESTIONS} - {"preset"})))
    said: dict[str, Any] = {"v": 1, "type": kind}
    for name, kind_of in FIELDS[kind].items():
        chosen = st.sampled_from(CHOICES[name]) if name in CHOICES else BY_TYPE[kind_of]
        said[name] = draw(chosen)
    if "revision" in said and draw(st.booleans()):
        said["revision"] = 0
    return said


@given(messages())
def test_every_message_is_answered(said: dict[str, Any]) -> None:
    try:
        heard = read_message(json.dumps(said))
    except BadMessage:
        return
    fits(heard, "said")
    reply = handle_message(Session(TEXT), heard)
    assert len(reply.session.text.encode()) < 1_200_000
    for told in reply.told:
        fits(told)

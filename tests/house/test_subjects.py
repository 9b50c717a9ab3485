"""Subjects of commits: at most 72 characters, and an imperative verb first.

All commits since the last tag, or since the last change of the version, count.
"""

import re
import shutil
import subprocess

import pytest

from tests.cli.running import ROOT
from tests.patience import PATIENCE_S

MOST = 72
"""Greatest length of a subject in characters."""
RULE_SINCE = "b533937491"
"""The last commit before this rule."""
OTHER_WORDS = re.compile(
    r"(?!(?:Bring|Ping|Spring|Sling|String|Swing|Wring|Embed|Feed|Heed|Need|Seed|Shed|Speed|Weed)\b)"
    r"(?!\w+ss\b)(?:\w+(?:s|ed|ing)|wip|An?|The|This|That|These|Those|It|We|I|You|Its|Our|Their|"
    r"All|Any|Both|Each|Every|Few|Many|More|Most|No|None|One|Some|Two|Three|Four|Five|"
    r"What|When|Where|Whether|Which|Who|Whoever|Whose|Why|How|If|In|On|At|By|For|From|Of|With|"
    r"And|But|Or|Not|Now|New|Old|Better|Faster)\b",
    re.IGNORECASE,
)
"""First words that are no imperative: articles, pronouns, numbers, questions, forms of a verb."""


def violations(subject: str) -> list[str]:
    """Return what is wrong with a subject."""
    found = []
    if len(subject) > MOST:
        found.append(f"{len(subject)} characters, at most {MOST}")
    if OTHER_WORDS.match(subject) or not re.match(r"[A-Z][a-z-]+,?( |$)", subject):
        found.append("begin with an imperative verb, such as Add or Keep")
    return found


def git(*words: str) -> str | None:
    """Return the output of git; None if it fails."""
    run = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    return run.stdout.strip() if run.returncode == 0 else None


def test_subjects_are_short_and_imperative() -> None:
    if shutil.which("git") is None or git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("the history of commits is not here: no git, no repository, or a shallow clone")
    ends = [
        git("rev-parse", "-q", "--verify", f"{RULE_SINCE}^{{commit}}"),
        git("describe", "--tags", "--abbrev=0"),
        git("log", "-1", "--format=%H", "-G^version = ", "--", "pyproject.toml"),
    ]
    known = list(filter(None, ends))
    if not known:
        pytest.skip("no commit is known that changed the version")
    log = git("log", "--no-merges", "--format=%h %s", "HEAD", "--not", *known)
    assert log is not None
    lines = (line.partition(" ") for line in log.splitlines())
    wrong = {f"{commit} {subject}": violations(subject) for commit, _, subject in lines}
    assert not {commit: why for commit, why in wrong.items() if why}


@pytest.mark.parametrize(
    ("subject", "number"),
    [
        ("Keep the map of the pit and the anchors of pages once", 0),
        ("Prove, count and print joints", 0),
        ("Press a link by zlib", 0),
        ("Add " + "x" * 68, 0),
        ("Add " + "x" * 69, 1),
        ("A build's overlays are worked out once", 1),
        ("Adds a table", 1),
        ("Added a table", 1),
        ("Adding a table", 1),
        ("build: compute overlays once", 1),
        ("wip", 1),
        ("What a link says " + "x" * 69, 2),
    ],
)
def test_violations_of_a_subject(subject: str, number: int) -> None:
    assert len(violations(subject)) == number

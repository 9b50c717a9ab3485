"""Pages of the site that do not lie in `docs/`: the README as its first page, and its neighbours.

Their links are written from the top of the repository, so `docs/` is taken off; a link to a file
that is no page goes to where the file's name can be read, as plain text.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

TOP = Path(__file__).resolve().parents[1]
PAGES = {"README.md": "index.md"} | {name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md")}
_MARKER = re.compile(r"<!-- [a-z-]+ -->\n")
_LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)#]+)(#[^)]*)?\)")
_NAME = re.compile(r"<code>[^<]*</code>")
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Every page of the site: those of `docs/`, and the three above it."""
    for source, page in PAGES.items():
        text = (TOP / source).read_text("utf-8")
        files.append(File.generated(config, page, content=_moved(text)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """A page's links out of `docs/`: to pages above it, else plain names of files."""
    return _LINK.sub(lambda m: _upward(m) if m[3].startswith("../") else m[0], markdown)


def on_page_content(html: str, **_: object) -> str:
    """A page whose options stay whole: a browser would end a line after the first hyphen of one."""
    return _NAME.sub(lambda m: _OPTION.sub(r'<span class="option">\g<0></span>', m[0]), html)


def _upward(match: re.Match[str]) -> str:
    name = match[3][3:]
    return f"[{match[2]}]({PAGES[name]}{match[4] or ''})" if name in PAGES else f"`{name}`"


def _moved(text: str) -> str:
    return _LINK.sub(_link, _MARKER.sub("", text))


def _link(match: re.Match[str]) -> str:
    picture, text, target, anchor = match.groups()
    if "://" in target:
        return match[0]
    page = PAGES.get(target, target.removeprefix("docs/"))
    if page == target and target not in PAGES:
        return f"`{target}`"
    return f"{picture}[{text}]({page}{anchor or ''})"

"""What a reader of the site would find wrong: `python -m tests.docs.site_look FOLDER`.

`.ci/site` asks it of the folder it wrote, where Chromium is. On a desk every table shows its last
column and its names whole, and every line of code its end; on a phone a table may scroll, and a
name may break between its words, but the page may not scroll, and no word and no option may break.
"""

import sys
import tempfile
from pathlib import Path

from tests.render.chromium import BINARY, Chromium

DESK, PHONE = (1440, 900), (390, 844)
CUT = """[...document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.scrollWidth - one.clientWidth} px cut: ${one.innerText.slice(0, 60)}`)"""
WIDE = """document.documentElement.scrollWidth > innerWidth
  ? [`${document.documentElement.scrollWidth} px wide`] : []"""
BROKEN = """[...document.querySelectorAll(".md-typeset :is(td, th) code")].flatMap((one) => {
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), found = [];
  for (let text; (text = texts.nextNode()); ) {
    for (const word of text.data.matchAll(/[^\\s/-]+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (lines.size > 1) found.push(`broken: ${word[0]}`);
    }
  }
  return found; })"""
WORDS = BROKEN.replace("[^\\s/-]+", "\\w+")
OPTIONS = BROKEN.replace(":is(td, th) code", ":not(pre) > code").replace("[^\\s/-]+", "--[a-z-]+")
GONE = """[...document.images].filter((one) => one.complete && !one.naturalWidth)
  .map((one) => `no picture: ${one.src.split("/").at(-1)}`)"""


def faults(folder: Path) -> list[str]:
    """Return what is wrong with the pages of a folder, one line each, page first."""
    found = []
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(Path(profile))
        try:
            for size, scripts in (
                (DESK, (CUT, WIDE, BROKEN, GONE)),
                (PHONE, (WIDE, WORDS, OPTIONS)),
            ):
                browser.narrow(*size)
                for page in sorted(folder.glob("*.html")):
                    browser.open(page.resolve().as_uri(), "true")
                    for script in scripts:
                        lines = browser.run(script)
                        found += [f"{page.name} at {size[0]}: {line!r}" for line in lines]
        finally:
            browser.close()
    return found


if __name__ == "__main__":
    if BINARY is None:
        sys.exit(print("note: no Chromium; nobody looked at the site"))
    found = faults(Path(sys.argv[1]))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))

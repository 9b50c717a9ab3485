"""What a person would find wrong with a page in a browser, and what axe-core finds.

`npm install axe-core`, then `FORGE_AXE=node_modules/axe-core/axe.min.js` names its script.
"""

import json
import os
from pathlib import Path

from tests.render.chromium import Chromium

JUDGE = Path(__file__).with_name("judge.js").read_text("utf-8")
AXE = Path(os.environ.get("FORGE_AXE", ""))
FINDINGS = """Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition)
  .map((one) => one.finished))
  .then(() => axe.run(document, { resultTypes: ['violations'] }))
  .then((found) => found.violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html }) => `axe ${id}: ${html.slice(0, 200)}`)))"""
"""Script that returns the findings of axe, after all colours have changed over."""


BROKEN = """((selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
  const found = [], all = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (all.nextNode())
    for (const { index, 0: word } of all.currentNode.data.matchAll(/[^\\s\\u00ad-]+/g)) {
      const at = document.createRange();
      at.setStart(all.currentNode, index + 1); // the drawn hyphen counts as of the first
      at.setEnd(all.currentNode, index + word.length);
      if (new Set([...at.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  return found;
}))"""


def broken(browser: Chromium, selector: str) -> list[str]:
    """Return the words of some elements that are broken where they have no hyphen."""
    found: list[str] = browser.run(f"{BROKEN}({json.dumps(selector)})")
    return found


def judged(browser: Chromium, *, rolls: bool = False, axe: bool = True) -> list[str]:
    """Return what is wrong with a page as it is seen, one line each.

    Args:
        browser: The browser whose page it is.
        rolls: The page is longer than its window, and its reader scrolls it.
        axe: Ask axe-core too, where it is installed.
    """
    found: list[str] = browser.run(f"({JUDGE})({json.dumps(rolls)})")
    if axe and AXE.is_file():
        if not browser.run("'axe' in window"):
            browser.run(AXE.read_text("utf-8") + "; true")
        found += browser.run(FINDINGS)
    return found

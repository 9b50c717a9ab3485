"""Every screen of the studio as data, and what a person would find wrong with one.

`python -m tests.studio.screens FOLDER` takes a picture of each screen at each size, light and dark.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.cli.running import ROOT
from tests.studio.hands import DRAWN
from tests.studio.test_overflow import FORETELL
from tests.studio.test_page import Page

SIZES = {"desk": (1440, 900), "small": (1024, 768), "phone": (390, 844)}
THEMES = ("light", "dark")
DUEL = (ROOT / "presets" / "maps" / "duel.forge").read_text("utf-8")
WRONG = DUEL.replace("ladder E4 -> D4", "ladder E4 -> E4").replace("players 2", "playrs 2")
Reach = Callable[[Page], None]


def _press(selector: str) -> Reach:
    """Return a press of a control by its script, as from a menu or a key."""
    return lambda page: page.browser.run(f"document.querySelector({selector!r}).click()")


def _dialog(name: str) -> Reach:
    return lambda page: page.browser.run(f"document.querySelector('#{name}').showModal()")


def _gallery(page: Page) -> None:
    _press("#gallery")(page)
    page.wait("document.querySelectorAll('#preset-list img').length > 12")


def _armed(tool: str, *taps: tuple[int, int, int]) -> Reach:
    """Return a tool with taps, or clicks, on tops of tiles: (row, column, level)."""

    def reach(page: Page) -> None:
        page.choose(tool)
        for row, col, level in taps:
            at = page.resting(lambda row=row, col=col, level=level: page.spot(row, col, level))  # type: ignore[misc]
            page.touch("touchStart", at)
            page.touch("touchEnd")
        page.wait("studio.app.sync.idle && (!studio.state.ghost || studio.state.ghost.known)")

    return reach


def _text(page: Page) -> None:
    page.browser.run("import('./panes.js').then((panes) => panes.open('text'))")


def _issues(page: Page) -> None:
    page.browser.run(f"studio.app.editor.put({json.dumps(WRONG)})")
    page.wait("document.querySelector('#issues .error')")
    page.browser.run("import('./panes.js').then((panes) => panes.open('result'))")


def _more(page: Page) -> None:
    page.browser.run("document.querySelector('#more').showPopover()")


def _match(page: Page) -> None:
    page.wait("!document.querySelector('#play').disabled")
    _press("#play")(page)
    page.wait("document.querySelector('#match').open")


def _game(page: Page) -> None:
    """Reach the first choice of a game of two people on the table."""
    page.wait("!document.querySelector('#begin').disabled")
    page.browser.run(
        "for (const side of ['red', 'blue'])"
        " document.querySelector(`#player-${side}`).value = 'hand';"
        " document.querySelector('#play').click(); document.querySelector('#begin').click()"
    )
    page.wait("studio.state.play?.hand && document.querySelectorAll('.standee').length > 12")


def _target(page: Page) -> None:
    """Reach the forecast of a move with everything that can happen, and a card."""
    _game(page)
    page.wait("!studio.view.waiting && studio.app.sync.idle")
    page.browser.run(DRAWN)
    page.browser.run(FORETELL)
    assert page.browser.run("document.querySelector('#forecast').textContent")


SCREENS: Mapping[str, Reach] = {
    "design": lambda page: None,
    "gallery": _gallery,
    "text": _text,
    "issues": _issues,
    "more": _more,
    "find": _dialog("find"),
    "settings": _dialog("setting"),
    "keys": _dialog("keys"),
    "print": _press("#print-button"),
    "preview": _armed("raise", (0, 0, 0)),
    "refusal": _armed("lower", (9, 9, 0), (9, 9, 0)),
    "bridge": _armed("bridge", (2, 6, 2)),
    "chosen": _armed("choose", (4, 4, 1)),
    "stamps": _armed("stamp"),
    "looked": _armed("look", (4, 4, 1)),
    "match": _match,
    "game": _game,
    "target": _target,
}
"""Each screen by its name, with the way to it from an open table."""


@contextmanager
def studio(theme: str = "light") -> Iterator[Page]:
    """Yield a page of a studio for fingers and a mouse, in a theme, that stands still."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(Path(folder))
        try:
            still = {"name": "prefers-reduced-motion", "value": "reduce"}
            page.browser.ask("Emulation.setEmulatedMedia", features=[still])
            page.browser.ask("Emulation.setTouchEmulationEnabled", enabled=True)
            page.wait("matchMedia('(pointer: coarse)').matches")
            dressed(page, theme)
            yield page
        finally:
            page.close()


def dressed(page: Page, theme: str) -> None:
    """Put a page into a theme."""
    now = "document.documentElement.dataset.theme ?? 'light'"
    if page.browser.run(now) != theme:
        _press("#theme")(page)
    page.wait(f"({now}) === {theme!r}")


def home(page: Page, size: str) -> None:
    """Leave any screen for the open table in a window of a size."""
    page.let_go()
    page.browser.run(
        "for (const one of document.querySelectorAll('dialog[open]')) one.close();"
        " document.querySelector('#more').hidePopover();"
        " if (studio.state.play) document.querySelector('#leave').click()"
    )
    page.wait("!studio.state.play")
    page.browser.narrow(*SIZES[size])
    page.wait(f"innerWidth === {SIZES[size][0]}")
    page.browser.run(
        "import('./notes.js').then((notes) => { notes.notice(''); notes.speak(''); });"
        " import('./board.js').then((board) => board.forget());"
        " import('./choice.js').then((choice) => choice.pick([], false))"
    )
    page.choose("look")
    page.browser.run(
        "document.querySelector('[data-place=board]').click(); studio.state.pin = null"
    )
    if page.text() != DUEL:
        page.browser.run(f"studio.app.editor.put({json.dumps(DUEL)})")
    page.wait(
        "studio.app.sync.idle && studio.state.whole && studio.view.board?.cols === 10"
        " && !document.querySelector('#play').disabled"
        " && document.querySelector('#totals dd')?.textContent"
    )
    page.browser.run("studio.view.home()")


def reach(page: Page, screen: str, size: str) -> None:
    """Go to a screen, and wait until everything on it rests."""
    home(page, size)
    SCREENS[screen](page)
    page.wait("!studio.view.waiting && document.getAnimations().length === 0")


JUDGE = """(() => {
  const faults = [];
  const every = new CSSStyleSheet();
  every.replaceSync('* { pointer-events: auto !important; }');
  document.adoptedStyleSheets.push(every);
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1)
    ?? document.querySelector('[popover]:popover-open');
  const scope = modal ?? document.body;
  const name = (one) => `${one.tagName.toLowerCase()}${one.id && '#' + one.id}`
    + `${one.closest('[id]')?.id && !one.id ? ' in #' + one.closest('[id]').id : ''}`
    + ` "${(one.ariaLabel ?? one.textContent).trim().slice(0, 30)}"`;
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest('.unseen, #colours, #text, #numbers')
    && getComputedStyle(one).clipPath === 'none';
  const clear = (colour) => /rgba\\(.*, 0\\)|transparent/.test(colour);
  // Whether an element's own ground is drawn at a point.
  const opaque = (one, x, y) => { const r = one.getBoundingClientRect();
    return !clear(getComputedStyle(one).backgroundColor)
      && x >= r.left && x <= r.right && y >= r.top && y <= r.bottom; };
  // The part of a box that its scrolling and clipping ancestors leave, or null.
  const shown = (from, box) => {
    let { left, top, right, bottom } = box, scrolls = false;
    for (let at = from; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflow === 'visible') continue;
      const r = at.getBoundingClientRect();
      scrolls ||= /auto|scroll/.test(style.overflow + style.overflowX + style.overflowY);
      left = Math.max(left, r.left); right = Math.min(right, r.right);
      top = Math.max(top, r.top); bottom = Math.min(bottom, r.bottom);
    }
    return { left, top, right, bottom, scrolls, gone: right - left < 1 || bottom - top < 1 };
  };
  const texts = [];
  const walk = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !one || !seen(one) || one.closest('option, script')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2) continue;
      const part = shown(one, box);
      if (part.gone) continue;
      const ends = getComputedStyle(one).textOverflow === 'ellipsis';
      const lost = Math.max(part.left - box.left, box.right - part.right,
        part.top - box.top - 3, box.bottom - part.bottom - 3);
      // A coordinate at the edge of the stage stands at the other side of the board too.
      const twice = one.closest('#rim');
      if (lost > 2 && !part.scrolls && !ends && !twice) faults.push(`cut: ${name(one)}`);
      texts.push([one, part]);
    }
  }
  const inside = (a, b) => a === b || a.contains(b) || b.contains(a);
  texts.forEach(([one, a], at) => {
    for (const [other, b] of texts.slice(at + 1)) {
      const left = Math.max(a.left, b.left), right = Math.min(a.right, b.right);
      const top = Math.max(a.top, b.top), bottom = Math.min(a.bottom, b.bottom);
      if (right - left < 3 || bottom - top < 5 || inside(one, other)) continue;
      if (one.closest('#rim') && other.closest('#rim')) continue; // of a small stage
      // What lies on an opaque box hides what is below it; two texts on one ground do not.
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const stack = document.elementsFromPoint(x, y);
      const first = stack.findIndex((hit) => inside(hit, one) || inside(hit, other));
      const upper = stack[first];
      if (!upper) continue;
      const own = inside(upper, one) ? one : other;
      let ground = own;
      while (ground && !opaque(ground, x, y) && !inside(ground, own === one ? other : one))
        ground = ground.parentElement;
      const hides = ground && opaque(ground, x, y) && !ground.contains(own === one ? other : one);
      if (!hides) faults.push(`two texts: ${name(one)} and ${name(other)}`);
    }
  });
  const least = matchMedia('(pointer: coarse)').matches ? 44 : 24;
  for (const one of scope.querySelectorAll('button, select, input, summary, textarea')) {
    if (!seen(one)) continue;
    const target = one.closest('label') ?? one, box = target.getBoundingClientRect();
    if (box.width < 2) continue;
    if (Math.min(box.width, box.height) < least - .5 && one.id !== 'text')
      faults.push(`small: ${name(one)} ${Math.round(box.width)}x${Math.round(box.height)}`);
    const part = shown(target.parentElement, box);
    if (part.gone && part.scrolls) continue;
    const [x, y] = [(part.left + part.right) / 2, (part.top + part.bottom) / 2];
    if (part.gone || x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      if (!part.scrolls) faults.push(`off the screen: ${name(one)}`);
      continue;
    }
    const hit = document.elementFromPoint(x, y);
    const own = target.contains(hit) || hit?.contains(target);
    if (hit && !own && !hit.closest('label')?.contains(one))
      faults.push(`covered: ${name(one)} by ${name(hit)}`);
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
    faults.push(`larger than the window: ${root.scrollWidth}x${root.scrollHeight}`);
  document.adoptedStyleSheets.pop();
  return [...new Set(faults)];
})()"""
"""What a person would find wrong with what is seen, one line each."""


def main(folder: Path) -> None:
    """Write a picture of each screen."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        with studio(theme) as page:
            for size in SIZES:
                for screen in SCREENS:
                    reach(page, screen, size)
                    path = folder / f"{screen}-{size}-{theme}.png"
                    path.write_bytes(page.browser.screenshot())
                    print(path, page.browser.run(JUDGE))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

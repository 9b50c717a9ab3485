// What a person would find wrong with a page as it is seen, one line each. `rolls`: the page is
// longer than its window, and its reader scrolls it.
(rolls) => {
  const faults = [];
  const STICKS = "#forecast .out, #forecast .end, #mirrors, #level-of"; // to its scroller's end
  const every = new CSSStyleSheet();
  every.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets.push(every);
  const modal =
    [...document.querySelectorAll("dialog[open]")].at(-1) ??
    document.querySelector("[popover]:popover-open");
  const scope = modal ?? document.body;
  const name = (one) => {
    const id = one.id ? `#${one.id}` : one.closest("[id]") ? ` in #${one.closest("[id]").id}` : "";
    const words = (one.ariaLabel ?? one.textContent).trim().replace(/\s+/g, " ").slice(0, 30);
    return `${one.tagName.toLowerCase()}${id} "${words}"`;
  };
  // The coloured text has a test of its own, letter by letter.
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !one.closest(".unseen, #colours, #text, #numbers, #ruler") &&
    getComputedStyle(one).clipPath === "none";
  const inside = (a, b) => a === b || a.contains(b) || b.contains(a);
  // Whether an element's own ground is drawn at a point.
  const opaque = (one, x, y) => {
    const r = one.getBoundingClientRect();
    return (
      !/rgba\(.*, 0\)|transparent/.test(getComputedStyle(one).backgroundColor) &&
      x >= r.left && x <= r.right && y >= r.top && y <= r.bottom
    );
  };
  // The part of a box that its scrolling and clipping ancestors leave.
  const shown = (from, box) => {
    let { left, top, right, bottom } = box,
      scrolls = false;
    for (let at = from; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflow === "visible" || at === document.body) continue;
      const r = at.getBoundingClientRect();
      scrolls ||= /auto|scroll/.test(style.overflow + style.overflowX + style.overflowY);
      left = Math.max(left, r.left);
      right = Math.min(right, r.right);
      top = Math.max(top, r.top);
      bottom = Math.min(bottom, r.bottom);
    }
    return { left, top, right, bottom, scrolls, gone: right - left < 1 || bottom - top < 1 };
  };
  const away = ([x, y]) => x < 0 || x > innerWidth || ((y < 0 || y > innerHeight) && rolls);
  const middle = ({ left, top, right, bottom }) => [(left + right) / 2, (top + bottom) / 2];

  // -- texts: each whole, none over or under another
  const texts = [];
  const walk = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !one || !seen(one) || one.closest("option, script, title")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2) continue;
      const part = shown(one, box);
      const ends = getComputedStyle(one).textOverflow === "ellipsis";
      // A coordinate at the edge of the stage stands at the other side of the board too.
      const whole = part.scrolls || ends || one.closest("#rim");
      if (part.gone) {
        if (!whole) faults.push(`lost: ${name(one)}`);
        continue;
      }
      const lost = Math.max(
        part.left - box.left, box.right - part.right,
        part.top - box.top - 3, box.bottom - part.bottom - 3,
      );
      if (lost > 2 && !whole) faults.push(`cut: ${name(one)}`);
      texts.push([one, part]);
      if (away(middle(part)) || one.closest("svg")) continue;
      for (const share of [0.15, 0.5, 0.85]) {
        const at = [part.left + share * (part.right - part.left), middle(part)[1]];
        const over = document.elementFromPoint(...at);
        if (!over || !scope.contains(over) || inside(over, one)) continue;
        // A palette and a forecast lie on the board, beside what they are about; a coordinate
        // stands at the other side of the board too.
        if (one.closest("#rim") || (one.closest("#stage") && over.closest("#stamps, #sheet")))
          continue;
        // In a window of little height all lies on the board; what sticks to its scroller's end
        // lets the rest scroll.
        if (one.closest("#stage") && innerHeight < 700) continue;
        // Between a phone and a desk a pane that is opened lies over the board, and folds.
        if (one.closest("#board-pane") && over.closest(".pane:not(.folded)")) continue;
        if (part.scrolls && over.closest(STICKS)) continue;
        if (opaque(over, ...at)) faults.push(`under: ${name(one)} by ${name(over)}`);
      }
    }
  }
  texts.forEach(([one, a], at) => {
    for (const [other, b] of texts.slice(at + 1)) {
      const left = Math.max(a.left, b.left), right = Math.min(a.right, b.right);
      const top = Math.max(a.top, b.top), bottom = Math.min(a.bottom, b.bottom);
      if (right - left < 3 || bottom - top < 5 || inside(one, other)) continue;
      if (one.closest("#rim") && other.closest("#rim")) continue; // of a small stage
      // What lies on an opaque box hides what is below it; two texts on one ground do not.
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const stack = document.elementsFromPoint(x, y);
      const upper = stack.find((hit) => inside(hit, one) || inside(hit, other));
      if (!upper) continue;
      const [own, below] = inside(upper, one) ? [one, other] : [other, one];
      let ground = own;
      while (ground && !opaque(ground, x, y) && !inside(ground, below))
        ground = ground.parentElement;
      if (!ground || !opaque(ground, x, y) || ground.contains(below))
        faults.push(`two texts: ${name(one)} and ${name(other)}`);
    }
  });

  // -- boxes: each holds its text
  const wide = (one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0;
  for (const one of scope.querySelectorAll("button, select, label, summary, dt, dd, h1, h2, h3")) {
    if (!seen(one) || one.getBoundingClientRect().width < 2) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = one.getBoundingClientRect(), text = range.getBoundingClientRect();
    if (
      text.width &&
      (text.right > box.right + 1 || text.left < box.left - 1 || text.bottom > box.bottom + 2)
    )
      faults.push(`spilt: ${name(one)}`);
  }
  // A box that scrolls sideways hides the end of what it holds; code and tables may.
  const boxes = "header, footer, dialog, section, aside, article, .pane, #notice, #tip, #strip, "
    + "#acts, #forecast, #sheet";
  const may = "#tools, #medals, #text, pre, .scroll, textarea, input, select";
  for (const one of [scope, ...scope.querySelectorAll("*")]) {
    if (!seen(one) || !wide(one) || one.matches(may) || one.closest("svg")) continue;
    if (one.matches(boxes) || /auto|scroll/.test(getComputedStyle(one).overflowX))
      faults.push(`wider than its box: ${name(one)}`);
  }

  // -- controls: large enough, in the window, under nothing
  const least = matchMedia("(pointer: coarse)").matches ? 44 : 24;
  const controls = "button, select, input, summary, textarea, a[href], article[tabindex]";
  for (const one of scope.querySelectorAll(controls)) {
    if (!seen(one)) continue;
    if (one.matches("a") && getComputedStyle(one).display === "inline") continue; // in a sentence
    const target = one.closest("label") ?? one.labels?.[0] ?? one;
    const box = target.getBoundingClientRect();
    if (box.width < 2) continue;
    if (Math.min(box.width, box.height) < least - 0.5 && one.id !== "text")
      faults.push(`small: ${name(one)} ${Math.round(box.width)}x${Math.round(box.height)}`);
    const part = shown(target.parentElement, box);
    if (part.gone && part.scrolls) continue;
    const [x, y] = middle(part);
    if (part.gone || x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
      if (!part.scrolls && !(rolls && x >= 0 && x <= innerWidth))
        faults.push(`off the screen: ${name(one)}`);
      continue;
    }
    const hit = document.elementFromPoint(x, y);
    const own = target.contains(hit) || hit?.contains(target);
    if (part.scrolls && hit?.closest(STICKS)) continue;
    if (one.closest("#board-pane") && hit?.closest(".pane:not(.folded)")) continue;
    if (hit && !own && !hit.closest("label")?.contains(one))
      faults.push(`covered: ${name(one)} by ${name(hit)}`);
  }

  // -- the page: as wide as its window, and as high if it does not roll
  const root = document.documentElement;
  if (!document.querySelector("meta[name=viewport]"))
    faults.push("no viewport: a phone shows the page as wide as a desk's");
  if (root.scrollWidth > innerWidth || (!rolls && root.scrollHeight > innerHeight))
    faults.push(`larger than the window: ${root.scrollWidth}x${root.scrollHeight}`);

  // -- modes of the studio: nothing of one is left in another
  const state = window.studio?.state;
  if (state) {
    const { ghost, first, stroke, carry, chosen, at, tap, lit } = state;
    const there = (ids) => ids.filter((id) => {
      const one = document.getElementById(id);
      return seen(one) && one.textContent.trim();
    });
    const left = state.play
      ? [
          ...Object.entries({ ghost, first, stroke, carry }).flatMap(([key, on]) => (on ? key : [])),
          ...(chosen.size ? ["chosen"] : []),
          ...(window.studio.view.marks.some(({ box, frame }) => box || frame) ? ["marks"] : []),
          ...(at || tap || lit.length ? [] : there(["chip", "tip"])),
          ...there(["chosen", "stamps"]),
        ]
      : there(["standees", "forecast", "doom", "rolling", "medals", "acts"]);
    faults.push(...left.map((one) => `of another mode: ${one}`));

    // -- the board: no tile under what floats, but under what a person opens over it; a reason
    // may lie on a corner, and in a window of little height all lies on the board
    const { rows, cols, columns } = window.studio.view.board;
    const { left: x0, top: y0 } = document.getElementById("board").getBoundingClientRect();
    const open = "#stamps, #sheet, .pane, #chip, .standee, #labels, #rim, #doom, #knob";
    const float = document.getElementById("float"), few = rows * cols * 0.25;
    let corner = 0;
    if (!modal && seen(document.getElementById("board")) && innerHeight >= 700)
      for (let tile = 0; tile < rows * cols; tile += 1) {
        const [x, y] = window.studio.view.spot(Math.floor(tile / cols), tile % cols, columns[tile][0]);
        const over = document.elementFromPoint(x0 + x, y0 + y);
        if (float.contains(over) && (corner += 1) <= few) continue;
        if (over && over.id !== "board" && !over.closest(open))
          faults.push(`tile under: ${name(over.closest("[id]") ?? over)}`);
      }
  }
  document.adoptedStyleSheets.pop();
  return [...new Set(faults)];
}

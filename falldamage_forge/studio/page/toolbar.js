// The row of tools: icons with names in groups, and what the chosen one says.
import { say, state } from "./app.js";
import { forget, hover } from "./board.js";
import { $, button, element, icon } from "./dom.js";
import { point } from "./hints.js";
import { speak } from "./notes.js";
import { t } from "./texts.js";
import { TOOLS } from "./tools.js";

const OWN_TIPS = { look: "tipLook", choose: "tipChoose", stamp: "tipStamp" };
const FINGERS = matchMedia("(pointer: coarse)");
const known = (tool) => !tool.fitting || (state.fittings ?? []).includes(tool.fitting);
const buttons = () => [...$("tools").querySelectorAll("[data-tool]")];

// How a tool is used, in words for fingers where the page is held in a hand.
function helpOf(tool) {
  const name =
    (tool.area && "tipArea") || (tool.two && "tipTwo") || (tool.one && "tipOne") ||
    (tool.side && "tipStart") || OWN_TIPS[tool.name];
  return t(FINGERS.matches ? `${name}Touch` : name);
}

export function choose(tool) {
  state.tool = tool;
  state.first = null;
  state.built = null;
  for (const one of buttons()) {
    const chosen = one.dataset.tool === tool.name;
    one.setAttribute("aria-pressed", String(chosen));
    if (chosen) one.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  $("level-of").hidden = tool.name !== "level";
  $("stamps").hidden = tool.name !== "stamp";
  $("tool-help").textContent = helpOf(tool);
  if (tool.name === "stamp") say("stamps");
  if (state.ghost?.tapped) forget(); // the offer of a tap was the other tool's
  else if (state.at) hover(state.at);
  point();
}

// Of two ends the first one is set: the tool shows that it waits for the other.
export function arm() {
  for (const one of buttons())
    one.classList.toggle(
      "armed",
      Boolean(state.first && state.tool.two) && one.dataset.tool === state.tool.name,
    );
}

function toolButton(tool) {
  const name = t(tool.name);
  const made = button(
    "",
    () => {
      speak(""); // what was said of the other tool; the help of this one is seen in its place
      choose(tool);
    },
    `${name} (${t("key", { key: tool.key })}): ${helpOf(tool)}`,
  );
  made.dataset.tool = tool.name;
  made.setAttribute("aria-keyshortcuts", tool.key);
  const key = element("kbd");
  key.dataset.key = tool.key;
  made.append(icon(tool.name), element("span", name), key);
  made.setAttribute("aria-label", name);
  return made;
}

export function drawTools() {
  const level = $("level-of"),
    mirrors = $("mirrors"), // beside the tools, where it is seen: each of them mirrors
    groups = [...new Set(TOOLS.map(({ group }) => group))];
  $("tools").replaceChildren(
    ...groups.map((group) => {
      const made = element("div");
      made.setAttribute("role", "group");
      made.setAttribute("aria-label", t(group));
      made.append(...TOOLS.filter((tool) => tool.group === group).map(toolButton));
      return made;
    }),
    level,
    mirrors,
  );
  choose(state.tool ?? TOOLS[0]);
  knownTools();
}

// A tablet that gets a mouse, or loses it, is told how by its new hands.
FINGERS.addEventListener("change", drawTools);

// The tool of a key, where the map's game has it.
export const toolOf = (key) => TOOLS.find((one) => one.key === key && known(one));

// The tools that mean something in the map's game.
export function knownTools() {
  for (const one of buttons())
    one.hidden = !known(TOOLS.find(({ name }) => name === one.dataset.tool));
  if (state.tool && !known(state.tool)) choose(TOOLS[0]);
}

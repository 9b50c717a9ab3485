// Texts of the page by name. A language is one file; issues, measures and titles of pieces
// come from the studio in the page's language.
import { keep } from "./app.js";
import de from "./de.js";
import { element } from "./dom.js";
import { LABELS } from "./elements.js";
import en from "./en.js";

export const TEXTS = { en: { ...en, ...LABELS.en }, de: { ...de, ...LABELS.de } };

const PSEUDO = "pseudo"; // of no person: `?lang=pseudo` shows which texts do not fit or have no key
const LONGER = 1.4;
const ACCENTS = Object.fromEntries([..."aeiouAEIOU"].map((plain, at) => [plain, "àéîöüÀÉÎÖÜ"[at]]));

// English with accents, its vowels doubled, at least 40 % longer; values in braces stay.
export function pseudo(text) {
  const made = text.replace(/\{\w+\}|[aeiou]/gi, (one) => (ACCENTS[one] ?? "") + one);
  const fill = Math.ceil(text.length * LONGER) - made.length;
  return made + "·".repeat(Math.max(fill, 0));
}

const wanted = () => {
  const said = new URLSearchParams(location.search).get("lang")
    ?? keep.get("language") ?? navigator.language.slice(0, 2);
  return said in TEXTS || said === PSEUDO ? said : "en";
};
let language = wanted();

export const spoken = () => language;

// A text by its name, with values in the place of `{name}`.
export function t(name, values = {}) {
  const english = TEXTS.en[name] ?? name;
  const text = language === PSEUDO ? pseudo(english) : TEXTS[language][name] ?? english;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

// A time as people write it.
export const timed = (when) =>
  new Date(when).toLocaleString(language === PSEUDO ? "en" : language);

// The words of a gesture, or several, as they are shown; in English as they are typed.
export function worded(words) {
  const said = new Map(t("gestureWords").split(" ").map((pair) => pair.split("=")));
  if (said.size < 2) return words;
  const own = (word) => said.get(word) ?? (word in LABELS.en ? t(word) : word);
  return words.replace(/[a-z-]+/g, own);
}

// Puts texts where elements ask for them: `data-t` inside, `data-t-NAME` as the attribute NAME,
// `data-rows` as a list of terms and their meanings, one `term | meaning` a line.
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const at of root.querySelectorAll("*")) {
    for (const { name, value } of [...at.attributes]) {
      if (name === "data-t") at.textContent = t(value);
      else if (name.startsWith("data-t-")) at.setAttribute(name.slice(7), t(value));
      else if (name === "data-rows") at.replaceChildren(...t(value).split("\n").flatMap(row));
    }
  }
}

function row(line) {
  const [term, meaning] = line.split(" | ");
  return [element("dt", term), element("dd", meaning)];
}

export function speakIn(next) {
  language = next;
  keep.set("language", next);
  translate();
}

// What leaves the page to be seen elsewhere: a link that holds the map, a picture of the board, and
// the code of a link for a camera.
import { app, say } from "./app.js";
import { $ } from "./dom.js";
import { speak } from "./notes.js";
import { fileName, hand, packed } from "./share.js";
import { t } from "./texts.js";

const HERE = /^(localhost|127\.[\d.]+|\[::1\])$/; // reached from this computer alone
const BAND = 0.09; // height of the title under a picture, of the picture's

export const page = () =>
  document.querySelector("link[rel=canonical]")?.href ?? location.origin + location.pathname;

// Copies a link from its field, or leaves it selected where a page may not copy.
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    speak(t("linkCopied", { count: field.value.length }));
  } catch {
    field.select();
    speak(t("friendSelect"));
  }
}

async function open() {
  const link = `${page()}#map=${await packed(app.editor.area.value)}`;
  $("share-link").value = link;
  const here = HERE.test(new URL(link).hostname);
  const told = (name) => {
    $("share-told").textContent = t(name);
  };
  told(here ? "shareHere" : "shareScan");
  code($("qr"), link, () => told("shareLong"));
  $("share-send").hidden = here || !navigator.share;
  $("sharing").showModal();
}

const waiting = new Map(); // pictures of codes: {link, long}

// Draws the code of a link, with its room at once, so that no button moves when it comes; none of
// a link that opens on this computer alone. `long` runs where no code holds the link.
export function code(picture, link, long = () => {}) {
  const here = HERE.test(new URL(link).hostname);
  if (!here && waiting.get(picture)?.link === link) return;
  waiting.set(picture, { link, long });
  draw(picture, !here);
  if (!here) say("qr", { text: link });
}

function draw(picture, seen, side = 1, path = "") {
  picture.toggleAttribute("hidden", !seen);
  picture.setAttribute("viewBox", `0 0 ${side} ${side}`);
  picture.querySelector("path").setAttribute("d", path);
}

export function came({ text, side, path }) {
  for (const [picture, { link, long }] of waiting) {
    if (link !== text) continue;
    draw(picture, side > 0, side, path);
    if (!side) long();
  }
}

function send() {
  const url = $("share-link").value;
  navigator.share({ title: $("title").textContent, url }).catch(() => {}); // it was closed
}

// The board as it is seen now, with the title under it.
function picture() {
  app.view.paint(); // what was painted in an earlier turn is gone
  const { canvas } = app.view;
  const sheet = document.createElement("canvas"),
    band = Math.round(canvas.height * BAND);
  [sheet.width, sheet.height] = [canvas.width, canvas.height + band];
  const pen = sheet.getContext("2d"),
    look = getComputedStyle(document.body);
  pen.fillStyle = look.backgroundColor;
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.drawImage(canvas, 0, 0);
  pen.fillStyle = look.color;
  pen.font = `600 ${Math.round(band / 2)}px ${look.fontFamily}`;
  pen.textBaseline = "middle";
  pen.fillText($("title").textContent, band / 2, canvas.height + band / 2, sheet.width - band);
  return new Promise((done) => {
    sheet.toBlob(done);
  });
}

async function save() {
  const made = await picture(), name = `${fileName()}.png`;
  hand(made, name);
  speak(t("made", { name, size: (made.size / 1e6).toFixed(1) }));
}

// The promise is handed on, so that the press still counts as the user's when the picture comes.
async function copyPicture() {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]);
    speak(t("pictureCopied"));
  } catch {
    await save(); // a browser that copies no pictures
  }
}

export function listen() {
  $("share").addEventListener("click", open);
  $("share-copy").addEventListener("click", () => copy($("share-link")));
  $("share-send").addEventListener("click", send);
  $("share-picture").addEventListener("click", save);
  $("share-picture-copy").addEventListener("click", copyPicture);
  $("share-picture-copy").hidden = !window.ClipboardItem;
}

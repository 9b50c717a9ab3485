// What leaves the page to be seen elsewhere: a link that holds the map, its code for a camera, and
// a picture of the board.
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
  show(here ? "shareHere" : "shareScan", !here); // no button moves when the code comes
  $("share-send").hidden = here || !navigator.share;
  if (!here) say("qr", { text: link });
  $("sharing").showModal();
}

function show(told, code, side = 1, path = "") {
  $("share-told").textContent = t(told);
  $("qr").toggleAttribute("hidden", !code);
  $("qr").setAttribute("viewBox", `0 0 ${side} ${side}`);
  $("qr").querySelector("path").setAttribute("d", path);
}

// The code of the link in sight; a link that no code holds is told.
export function came({ text, side, path }) {
  if (text === $("share-link").value) show(side ? "shareScan" : "shareLong", side > 0, side, path);
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
  const name = `${fileName()}.png`;
  sheet.toBlob((made) => {
    hand(made, name);
    speak(t("made", { name, size: (made.size / 1e6).toFixed(1) }));
  });
}

export function listen() {
  $("share").addEventListener("click", open);
  $("share-copy").addEventListener("click", () => copy($("share-link")));
  $("share-send").addEventListener("click", send);
  $("share-picture").addEventListener("click", picture);
}

// Files dropped on the page, each by its kind: a stock, or a model of others.
import { app } from "./app.js";
import { $ } from "./dom.js";
import * as models from "./models.js";
import { notice } from "./notes.js";
import * as stock from "./stock.js";
import { t } from "./texts.js";

// The surface of the board under a point of the window; null beside the board.
function under({ clientX, clientY, target }) {
  const box = $("board").getBoundingClientRect();
  return target === $("board") ? app.view.under(clientX - box.left, clientY - box.top) : null;
}

function dropped(event) {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault(); // else the browser leaves the page for the file
  const model = files.find(models.isModel),
    list = files.find(({ name }) => /\.csv$/i.test(name));
  if (model) models.open(model, under(event));
  else if (list) stock.open(list);
  else notice(t("dropKinds"));
}

export function listen() {
  window.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  window.addEventListener("drop", dropped);
}

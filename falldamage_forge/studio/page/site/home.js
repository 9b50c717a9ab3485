// The first page: an older link with a map goes on to the studio; texts in the reader's language.
import { $ } from "./dom.js";
import { TEXTS, spoken, t, translate } from "./texts.js";

const { hash, search } = location;
if (new URLSearchParams(hash.slice(1)).has("map")) location.replace(`studio.html${search}${hash}`);
translate();
const known = spoken() in TEXTS ? spoken() : "en";
for (const risk of document.querySelectorAll("#maps [lang]")) risk.hidden = risk.lang !== known;
const site = await navigator.serviceWorker?.getRegistration().catch(() => null);
if (site?.active) $("offline").textContent = t("homeStored");

// The first page: an older link with a map goes on to the studio; texts in the reader's language.
const DE = {
  lead: "Baue einen Tisch für <a href=\"https://falldamage.fun\">Fall Damage</a>, das Gefechtsspiel zum Selberdrucken: zeichne ihn, sieh sofort, ob er spielbar ist, spiele darauf und lade alle Teile druckfertig herunter. Alles läuft in diesem Browser; keine Karte verlässt ihn.",
  open: "Studio öffnen", docs: "Handbuch (englisch)",
  draw: "<strong>Zeichnen.</strong> Säulen heben, Brücken spannen, Leitern hängen, Bäume pflanzen. Ein rotes Feld sagt, warum etwas nicht geht.",
  play: "<strong>Spielen.</strong> Zu zweit an einem Bildschirm oder gegen das Programm.",
  print: "<strong>Drucken.</strong> Platten für ein Bett von 180 x 180 mm, ohne Stützen; Teile, Stunden und Gramm stehen vorher fest.",
  ready: "Fertige Tische", parts: "Teile", difficulty: "Schwierigkeit", notices: "Hinweise",
};
const READY = { en: "Stored: the studio opens without a network.", de: "Gespeichert: das Studio öffnet ohne Netz." };

if (new URLSearchParams(location.hash.slice(1)).has("map")) location.replace(`studio.html${location.search}${location.hash}`);
const german = /^de\b/.test(navigator.language);
if (german) {
  document.documentElement.lang = "de";
  for (const place of document.querySelectorAll("[data-t]")) place.innerHTML = DE[place.dataset.t];
}
navigator.serviceWorker?.getRegistration().then((found) => {
  if (found?.active) document.getElementById("offline").textContent = READY[german ? "de" : "en"];
}).catch(() => {});

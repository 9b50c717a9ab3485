// Every text of the page, in every language it speaks. What the rules say (issues, measures, titles of
// pieces) comes from the studio in English.
import { keep } from "./app.js";

export const TEXTS = {
  en: {
    name: "English", undo: "Undo", redo: "Redo", gallery: "Gallery", share: "Share link", save: "Save text",
    zip: "Download to print", sheets: "Build sheets", dark: "Dark", settings: "Settings", play: "Play", design: "Design",
    cancel: "Cancel", close: "Close", map: "Map", tools: "Tools", board: "The board", text: "Text of the map", meaning: "Result",
    boardHelp: "Board in 3D. Arrow keys move the cursor, Enter does what the tool does, brackets turn the view, question mark lists the keys.",
    format: "Format", words: "A gesture in words", wordsHint: "or in words: move A1..B2 to D4", doIt: "Do it", symmetric: "keep the symmetry",
    show: "show", unit: "for", nothing: "nothing more", reach: "one turn from the pointer", farther: "turns from the pointer",
    path: "path to the pointer", sight: "sight from the pointer", push: "a push at the pointer", loss: "effect of destroying this",
    turns: "turns from the starts", control: "side that arrives first", hazard: "falls after a push", islands: "unreachable places",
    printed: "printed parts", print: "Print", pieces: "Pieces", plates: "Plates", filament: "Filament", hours: "Hours", money: "Money at {price} a kg",
    owned: "owned", ownedOf: "{count}, of which {owned} are owned", platesOn: "{count} on {printer}", notYet: "shown when the map can be built", working: "computing …", plays: "How it plays", notPlayable: "Shown when the map is playable.",
    same: "The same on the command line:", playable: "✓ Playable", buildable: "✗ Can be built, but not played", faulty: "✗ Cannot be built",
    error: "Error", warning: "Warning", info: "Note", good: "Good", warn: "Mind", bad: "Bad", changeTo: "Change to {text}",
    begin: "Begin with", empty: "an empty board", newTable: "A new table", kept: "{file} · saved", notKept: "{file} · not saved", noFile: "not a file: save the text to keep it",
    look: "look", choose: "choose", raise: "raise", lower: "lower", level: "level", erase: "erase", tree: "tree", spire: "spire",
    water: "water", lava: "lava", step: "step", battlement: "wall", treasure: "treasure", bridge: "bridge", arch: "arch", ladder: "ladder",
    "start-red": "start red", "start-blue": "start blue", stamp: "stamp",
    railing: "railing", obstruction: "obstruction", field: "Heavy-G", pitfall: "pit", gate: "Gate", "base-red": "Base red", "base-blue": "Base blue", key: "key {key}",
    tipLook: "click shows the lines of a tile in the text, drag turns the view", tipChoose: "drag round tiles, click one, Shift adds; then do something with them",
    tipArea: "click or drag over tiles; Shift-click for a rectangle", tipOne: "click a surface", tipTwo: "click both ends, or drag", tipStart: "click or drag tiles in or out of the zone",
    tipStamp: "choose a stamp, then click; comma and full stop turn it, m mirrors", toLevel: "level",
    from: "{tool} from {tile}: now the other end", done: "{words}: done", undone: "{words}: undone", redone: "{words}: redone", same0: "{words}: no change", refused: "{words}: {why}",
    emptyZone: "a zone keeps at least one tile; delete its line in the text to remove the zone", mendFirst: "correct the text first: gestures need a text without errors", at: "{tile}, level {level}", toolIs: "tool: {tool}",
    chosen: "{count} tiles chosen", copy: "Copy", move: "Move", turn: "Turn", mirror: "Mirror", leave: "Deselect", carrying: "{verb} {area}: click where its north-west corner goes; comma and full stop turn it, m mirrors, Escape ends it",
    stamps: "Stamps", ownStamps: "of this map", turnStamp: "Turn (,)", mirrorStamp: "Mirror (m)", chooseStamp: "choose a stamp first",
    writtenIn: "{tile} is defined in {file}, line {line}", notWritten: "the text has no line about {tile}", pathFrom: "path from {tile}: point at its end; click another tile to start there",
    updated: "The studio was updated: load this page again.", silent: "The studio does not answer. Your text is stored in this browser; trying again …",
    tooLong: "The text is longer than the studio accepts: it is stored in this browser only.",
    stranger: "The studio refuses this page: open the address that it prints in this browser. The text that you typed is stored and will be there.",
    noWebgl: "This browser has no WebGL2; text and checks still work.", slow: "Drawing is slow here: the board is shown without the printed parts. Turn them on again in Settings.",
    changedOnDisk: "Another program changed the file: its text is shown now. Undo restores yours.", conflict: "Another program changed the same lines of the file. Nothing is saved until you choose.",
    mine: "Keep mine", theirs: "Take theirs", stopped: "stopped", made: "{name}, {size} MB, downloaded", building: "building …",
    badLink: "The map in this link cannot be read.", replace: "Replace the open file by the map of this link?", linkCopied: "link of {count} characters copied",
    all: "Change all copies", here: "Only here, as a variant", leaveIt: "Cancel", style: "style of the pieces", printer: "printer", process: "process", price: "price of a kilogram", currency: "currency", variants: "looks of each piece", usual: "the map's own, or the default", language: "language",
    keys: "Keys", keysHelp: "On the board: arrows and Enter do what the mouse does; [ ] + - 0 turn, zoom and centre; Escape selects the tool look. Ctrl-C, Ctrl-X and Ctrl-V copy, move and place the selection, Delete erases it. In the text: Ctrl-Space completes, F1 explains, F8 goes to the next error, Ctrl-. corrects it, Shift-Alt-F formats. Everywhere: Ctrl-Z, Ctrl-Shift-Z.",
    mend: "Ctrl-. changes it to {text}", noFault: "no error", suggestions: "Tested suggestions", tryIt: "Try it",
    plate: "{name}: {grams} g, {hours} h", gramsOf: "{grams} g", ahead: "Ahead", even: "Even",
    hand: "people", random: "random bot", greedy: "greedy bot", careful: "careful bot", "search-1": "searching bot 1", "search-2": "searching bot 2", "search-3": "searching bot 3", red: "red", blue: "blue",
    draftTeams: "draft and place the teams (else they are drawn)", beginGame: "Begin", takeBack: "Take back", movesNow: "Legal moves", unitsNow: "Units", lately: "Last events",
    turnOf: "round {round}, {side}: choose", turnWith: "round {round}, {side} with the {unit}", gameOver: "over in round {round}: {result}", legal: "legal move", active: "active unit", noMove: "no legal move here",
    merged: "Another program changed other lines of the file: both changes are merged. Undo removes theirs.",
  },
  de: {
    name: "Deutsch", undo: "Zurück", redo: "Wieder", gallery: "Galerie", share: "Link teilen", save: "Text sichern",
    zip: "Zum Drucken laden", sheets: "Bauplan", dark: "Dunkel", settings: "Einstellungen", play: "Spielen", design: "Entwerfen",
    cancel: "Abbrechen", close: "Schließen", map: "Karte", tools: "Werkzeuge", board: "Das Brett", text: "Text der Karte", meaning: "Ergebnis",
    boardHelp: "Brett in 3D. Pfeiltasten bewegen den Zeiger, Eingabe tut, was das Werkzeug tut, eckige Klammern drehen die Ansicht, das Fragezeichen nennt die Tasten.",
    format: "Formatieren", words: "Eine Geste in Worten", wordsHint: "oder in Worten: move A1..B2 to D4", doIt: "Tu es", symmetric: "Symmetrie behalten",
    show: "zeige", unit: "für", nothing: "nichts weiter", reach: "ein Zug vom Zeiger aus", farther: "Züge vom Zeiger aus",
    path: "Weg zum Zeiger", sight: "Sicht vom Zeiger aus", push: "ein Stoß am Zeiger", loss: "Folgen, wenn das zerstört wird",
    turns: "Züge von den Starts", control: "Seite, die zuerst da ist", hazard: "Stürze nach einem Stoß", islands: "unerreichbare Orte",
    printed: "gedruckte Teile", print: "Druck", pieces: "Teile", plates: "Platten", filament: "Filament", hours: "Stunden", money: "Geld bei {price} je kg",
    owned: "vorhanden", ownedOf: "{count}, davon {owned} vorhanden", platesOn: "{count} auf {printer}", notYet: "wird gezeigt, sobald die Karte baubar ist", working: "wird berechnet …", plays: "Wie es sich spielt", notPlayable: "Wird gezeigt, sobald die Karte spielbar ist.",
    same: "Dasselbe auf der Kommandozeile:", playable: "✓ Spielbar", buildable: "✗ Baubar, aber nicht spielbar", faulty: "✗ Nicht baubar",
    error: "Fehler", warning: "Warnung", info: "Hinweis", good: "Gut", warn: "Achtung", bad: "Schlecht", changeTo: "Ändern in {text}",
    begin: "Beginne mit", empty: "einem leeren Brett", newTable: "Ein neuer Tisch", kept: "{file} · gesichert", notKept: "{file} · nicht gesichert", noFile: "keine Datei: sichere den Text, um ihn zu behalten",
    look: "schauen", choose: "wählen", raise: "heben", lower: "senken", level: "Höhe", erase: "löschen", tree: "Baum", spire: "Spitze",
    water: "Wasser", lava: "Lava", step: "Stufe", battlement: "Zinnen", treasure: "Schatz", bridge: "Brücke", arch: "Bogen", ladder: "Leiter",
    "start-red": "Start Rot", "start-blue": "Start Blau", stamp: "Stempel",
    railing: "Geländer", obstruction: "Hindernis", field: "Heavy-G", pitfall: "Grube", gate: "Tor", "base-red": "Basis Rot", "base-blue": "Basis Blau", key: "Taste {key}",
    tipLook: "Klick zeigt die Zeilen eines Feldes im Text; Ziehen dreht die Ansicht", tipChoose: "Felder umkreisen oder anklicken, Umschalt fügt hinzu; dann etwas damit tun",
    tipArea: "Felder anklicken oder überstreichen; Umschalt-Klick für ein Rechteck", tipOne: "eine Fläche anklicken", tipTwo: "beide Enden anklicken, oder ziehen", tipStart: "Felder in die Zone hinein- oder herausziehen",
    tipStamp: "Stempel wählen, dann klicken; Komma und Punkt drehen ihn, m spiegelt", toLevel: "Höhe",
    from: "{tool} von {tile}: nun das andere Ende", done: "{words}: getan", undone: "{words}: zurückgenommen", redone: "{words}: wiederholt", same0: "{words}: keine Änderung", refused: "{words}: {why}",
    emptyZone: "eine Zone behält mindestens ein Feld; lösche ihre Zeile im Text, um sie zu entfernen", mendFirst: "erst den Text korrigieren: Gesten brauchen einen Text ohne Fehler", at: "{tile}, Höhe {level}", toolIs: "Werkzeug: {tool}",
    chosen: "{count} Felder gewählt", copy: "Kopieren", move: "Bewegen", turn: "Drehen", mirror: "Spiegeln", leave: "Auswahl aufheben", carrying: "{verb} {area}: klicke, wohin die Nordwestecke kommt; Komma und Punkt drehen, m spiegelt, Escape beendet es",
    stamps: "Stempel", ownStamps: "dieser Karte", turnStamp: "Drehen (,)", mirrorStamp: "Spiegeln (m)", chooseStamp: "wähle erst einen Stempel",
    writtenIn: "{tile} steht in {file}, Zeile {line}", notWritten: "der Text hat keine Zeile über {tile}", pathFrom: "Weg von {tile}: zeige auf sein Ende; klicke ein anderes Feld, um dort zu beginnen",
    updated: "Das Studio wurde erneuert: lade diese Seite neu.", silent: "Das Studio antwortet nicht. Dein Text ist in diesem Browser gespeichert; neuer Versuch …",
    tooLong: "Der Text ist länger, als das Studio annimmt: er ist nur in diesem Browser gespeichert.",
    stranger: "Das Studio weist diese Seite ab: öffne die Adresse, die es nennt, in diesem Browser. Dein Text ist gespeichert und dann wieder da.",
    noWebgl: "Dieser Browser hat kein WebGL2; Text und Prüfungen gehen trotzdem.", slow: "Das Zeichnen ist hier langsam: das Brett wird ohne die gedruckten Teile gezeigt. Schalte sie in den Einstellungen wieder ein.",
    changedOnDisk: "Ein anderes Programm hat die Datei geändert: ihr Text wird jetzt gezeigt. Zurück stellt deinen wieder her.", conflict: "Ein anderes Programm hat dieselben Zeilen der Datei geändert. Nichts wird gesichert, bis du wählst.",
    mine: "Meinen behalten", theirs: "Ihren nehmen", stopped: "angehalten", made: "{name}, {size} MB, heruntergeladen", building: "wird gebaut …",
    badLink: "Die Karte in diesem Link ist nicht lesbar.", replace: "Die offene Datei durch die Karte dieses Links ersetzen?", linkCopied: "Link mit {count} Zeichen kopiert",
    all: "Alle Kopien ändern", here: "Nur hier, als Variante", leaveIt: "Abbrechen", style: "Stil der Teile", printer: "Drucker", process: "Prozess", price: "Preis je Kilogramm", currency: "Währung", variants: "Gesichter je Teil", usual: "wie in der Karte, sonst die Vorgabe", language: "Sprache",
    keys: "Tasten", keysHelp: "Auf dem Brett: Pfeile und Eingabe tun, was die Maus tut; [ ] + - 0 drehen, zoomen und zentrieren; Escape wählt das Werkzeug Schauen. Strg-C, Strg-X und Strg-V kopieren, bewegen und setzen die Auswahl, Entf löscht sie. Im Text: Strg-Leertaste ergänzt, F1 erklärt, F8 springt zum nächsten Fehler, Strg-. korrigiert ihn, Umschalt-Alt-F formatiert. Überall: Strg-Z, Strg-Umschalt-Z.",
    mend: "Strg-. ändert es in {text}", noFault: "kein Fehler", suggestions: "Erprobte Vorschläge", tryIt: "Versuchen",
    plate: "{name}: {grams} g, {hours} h", gramsOf: "{grams} g", ahead: "Vorn", even: "Gleich",
    hand: "Menschen", random: "zufälliger Bot", greedy: "gieriger Bot", careful: "vorsichtiger Bot", "search-1": "suchender Bot 1", "search-2": "suchender Bot 2", "search-3": "suchender Bot 3", red: "Rot", blue: "Blau",
    draftTeams: "Teams wählen und aufstellen (sonst werden sie gelost)", beginGame: "Beginnen", takeBack: "Zurücknehmen", movesNow: "Erlaubte Züge", unitsNow: "Einheiten", lately: "Letzte Ereignisse",
    turnOf: "Runde {round}, {side}: wähle", turnWith: "Runde {round}, {side} mit {unit}", gameOver: "vorbei in Runde {round}: {result}", legal: "erlaubter Zug", active: "aktive Einheit", noMove: "hier ist kein Zug erlaubt",
    merged: "Ein anderes Programm hat andere Zeilen der Datei geändert: beide Änderungen sind vereint. Zurück entfernt ihre.",
  },
};

const wanted = () => {
  const said = keep.get("language") ?? navigator.language.slice(0, 2);
  return said in TEXTS ? said : "en";
};
let language = wanted();

export const spoken = () => language;

// A text by its name, with values in the place of `{name}`.
export function t(name, values = {}) {
  const text = TEXTS[language][name] ?? TEXTS.en[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

// Puts texts where elements ask for them: `data-t` inside, `data-t-NAME` as the attribute NAME.
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const at of root.querySelectorAll("*")) {
    for (const { name, value } of [...at.attributes]) {
      if (name === "data-t") at.textContent = t(value);
      else if (name.startsWith("data-t-")) at.setAttribute(name.slice(7), t(value));
    }
  }
}

export function speakIn(next) {
  language = next;
  keep.set("language", next);
  translate();
}

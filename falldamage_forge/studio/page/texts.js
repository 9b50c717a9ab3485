// Every text of the page, in every language it speaks. What the rules say (issues, measures, titles of
// pieces) comes from the studio in English.
import { keep } from "./app.js";

export const TEXTS = {
  en: {
    name: "English", undo: "Undo", redo: "Redo", gallery: "Gallery", share: "Share link", save: "Save text",
    zip: "Download to print", sheets: "Print the sheets", dark: "Dark", settings: "Settings", play: "Play", design: "Design",
    cancel: "Cancel", close: "Close", map: "Map", tools: "Tools", board: "The board", text: "Text of the map", meaning: "What it means",
    boardHelp: "Board in 3D. Arrow keys move the cursor, Enter does what the tool does, brackets turn the view, question mark lists the keys.",
    format: "Tidy", words: "A gesture in words", wordsHint: "or in words: move A1..B2 to D4", doIt: "Do it", symmetric: "keep the symmetry",
    show: "show", unit: "for", nothing: "nothing more", reach: "one turn from the pointer", farther: "turns from the pointer",
    path: "the way to the pointer", sight: "sight from the pointer", push: "a push at the pointer", loss: "what falls without this",
    turns: "turns from the starts", control: "who is there first", hazard: "what a push does", islands: "what nobody reaches",
    printed: "printed parts", print: "Print", pieces: "Pieces", plates: "Plates", filament: "Filament", hours: "Hours", money: "Money at {price} a kg",
    owned: "owned", ownedOf: "{count}, of which {owned} are owned", platesOn: "{count} on {printer}", notYet: "told once it can be built", working: "working it out …", plays: "How it plays", notPlayable: "Told once the map is playable.",
    same: "The same on the command line:", playable: "✓ Playable", buildable: "✗ Can be built, not played", faulty: "✗ Cannot be built",
    error: "Error", warning: "Warning", info: "Note", good: "Good", warn: "Mind", bad: "Bad", changeTo: "Change to {text}",
    begin: "Begin with", empty: "an empty board", newTable: "A new table", kept: "{file} · saved", notKept: "{file} · not saved", noFile: "not a file: save the text to keep it",
    look: "look", choose: "choose", raise: "raise", lower: "lower", level: "level", erase: "erase", tree: "tree", spire: "spire",
    water: "water", lava: "lava", step: "step", battlement: "wall", treasure: "treasure", bridge: "bridge", arch: "arch", ladder: "ladder",
    "start-red": "start red", "start-blue": "start blue", stamp: "stamp",
    railing: "railing", obstruction: "obstruction", field: "Heavy-G", pitfall: "pit", gate: "Gate", "base-red": "Base red", "base-blue": "Base blue", key: "key {key}",
    tipLook: "click tells where the text says it, drag turns the view", tipChoose: "drag round tiles, click one, Shift adds; then do something with them",
    tipArea: "click or drag over tiles; Shift-click for a rectangle", tipOne: "click a surface", tipTwo: "click both ends, or drag", tipStart: "click or drag tiles in or out of the zone",
    tipStamp: "choose a stamp, then click; comma and full stop turn it, m mirrors", toLevel: "level",
    from: "{tool} from {tile}: now the other end", done: "{words}: done", undone: "{words}: undone", redone: "{words}: done again", same0: "{words}: nothing to change", refused: "{words}: {why}",
    emptyZone: "a zone keeps one tile; take its line out of the text to be rid of it", mendFirst: "mend the text first: gestures need one without faults", at: "{tile}, level {level}", toolIs: "tool: {tool}",
    chosen: "{count} tiles chosen", copy: "Copy", move: "Move", turn: "Turn", mirror: "Mirror", leave: "Let go", carrying: "{verb} {area}: click where its north-west corner goes; comma and full stop turn it, m mirrors, Escape ends it",
    stamps: "Stamps", ownStamps: "of this map", turnStamp: "Turn (,)", mirrorStamp: "Mirror (m)", chooseStamp: "choose a stamp first",
    writtenIn: "{tile} is written in {file}, line {line}", notWritten: "nothing is written of {tile}", pathFrom: "the way from {tile}: point at its end; click another tile to begin there",
    updated: "The studio was updated: load this page again.", silent: "The studio does not answer. What you type is kept in this browser; trying again …",
    tooLong: "The text is longer than the studio takes: it is kept in this browser only.",
    stranger: "The studio does not let this page in: open the address that it prints, in this browser. What you typed is kept and comes along.",
    noWebgl: "This browser shows no WebGL2; text and verdicts work all the same.", slow: "This machine draws slowly: the board is drawn without the printed parts. Settings brings them back.",
    changedOnDisk: "Another program changed the file: its text is here now. Undo brings yours back.", conflict: "Another program changed the file since. Nothing is saved until you choose.",
    mine: "Keep mine", theirs: "Take theirs", stopped: "stopped", made: "{name}, {size} MB, handed to the browser", building: "building …",
    badLink: "The map in this link cannot be read.", replace: "Put the map of this link in the place of the open file?", linkCopied: "link of {count} signs copied",
    all: "Change all copies", here: "Only here, as a variant", leaveIt: "Leave it", style: "look of the pieces", printer: "printer", process: "how to print", price: "price of a kilogram", currency: "currency", variants: "looks of each piece", usual: "the map's own, or the usual one", language: "language",
    keys: "Keys", keysHelp: "On the board: arrows and Enter do what the mouse does; [ ] + - 0 turn, zoom and centre; Escape goes back to looking. Ctrl-C, Ctrl-X and Ctrl-V copy, move and set down what is chosen, Delete erases it. In the text: Ctrl-Space completes, F1 explains, F8 goes to the next fault, Ctrl-. mends it, Shift-Alt-F tidies. Everywhere: Ctrl-Z, Ctrl-Shift-Z.",
    mend: "Ctrl-. changes it to {text}", noFault: "no fault", suggestions: "Remedies that were tried", tryIt: "Try it",
    plate: "{name}: {grams} g, {hours} h", gramsOf: "{grams} g", ahead: "Ahead", even: "Even",
    hand: "hands", random: "a bot that guesses", greedy: "a greedy bot", careful: "a careful bot", searcher: "a bot that searches", red: "red", blue: "blue",
    draftTeams: "draft and place the teams (else they are drawn)", beginGame: "Begin", takeBack: "Take back", movesNow: "What can be done", unitsNow: "Who is there", lately: "Lately",
    turnOf: "round {round}, {side}: choose", turnWith: "round {round}, {side} with the {unit}", gameOver: "over in round {round}: {result}", legal: "can be done here", active: "who acts", noMove: "nothing can be done here",
    merged: "Another program changed other lines of the file: both are here now. Undo takes theirs out.",
  },
  de: {
    name: "Deutsch", undo: "Zurück", redo: "Wieder", gallery: "Galerie", share: "Link teilen", save: "Text sichern",
    zip: "Zum Drucken laden", sheets: "Bauplan drucken", dark: "Dunkel", settings: "Einstellungen", play: "Spielen", design: "Entwerfen",
    cancel: "Abbrechen", close: "Schließen", map: "Karte", tools: "Werkzeuge", board: "Das Brett", text: "Text der Karte", meaning: "Was es bedeutet",
    boardHelp: "Brett in 3D. Pfeiltasten bewegen den Zeiger, Eingabe tut, was das Werkzeug tut, eckige Klammern drehen die Ansicht, das Fragezeichen nennt die Tasten.",
    format: "Ordnen", words: "Eine Geste in Worten", wordsHint: "oder in Worten: move A1..B2 to D4", doIt: "Tu es", symmetric: "Symmetrie behalten",
    show: "zeige", unit: "für", nothing: "nichts weiter", reach: "ein Zug vom Zeiger aus", farther: "Züge vom Zeiger aus",
    path: "der Weg zum Zeiger", sight: "Sicht vom Zeiger aus", push: "ein Stoß am Zeiger", loss: "was ohne das fällt",
    turns: "Züge von den Starts", control: "wer zuerst da ist", hazard: "was ein Stoß tut", islands: "was niemand erreicht",
    printed: "gedruckte Teile", print: "Druck", pieces: "Teile", plates: "Platten", filament: "Filament", hours: "Stunden", money: "Geld bei {price} je kg",
    owned: "vorhanden", ownedOf: "{count}, davon {owned} vorhanden", platesOn: "{count} auf {printer}", notYet: "sobald es gebaut werden kann", working: "wird ausgerechnet …", plays: "Wie es sich spielt", notPlayable: "Sobald die Karte spielbar ist.",
    same: "Dasselbe auf der Kommandozeile:", playable: "✓ Spielbar", buildable: "✗ Baubar, nicht spielbar", faulty: "✗ Nicht baubar",
    error: "Fehler", warning: "Warnung", info: "Hinweis", good: "Gut", warn: "Achtung", bad: "Schlecht", changeTo: "Ändern in {text}",
    begin: "Beginne mit", empty: "einem leeren Brett", newTable: "Ein neuer Tisch", kept: "{file} · gesichert", notKept: "{file} · nicht gesichert", noFile: "keine Datei: sichere den Text, um ihn zu behalten",
    look: "schauen", choose: "wählen", raise: "heben", lower: "senken", level: "Höhe", erase: "löschen", tree: "Baum", spire: "Spitze",
    water: "Wasser", lava: "Lava", step: "Stufe", battlement: "Zinnen", treasure: "Schatz", bridge: "Brücke", arch: "Bogen", ladder: "Leiter",
    "start-red": "Start Rot", "start-blue": "Start Blau", stamp: "Stempel",
    railing: "Geländer", obstruction: "Hindernis", field: "Heavy-G", pitfall: "Grube", gate: "Tor", "base-red": "Basis Rot", "base-blue": "Basis Blau", key: "Taste {key}",
    tipLook: "Klick zeigt, wo der Text es sagt; Ziehen dreht die Ansicht", tipChoose: "Felder umkreisen oder anklicken, Umschalt fügt hinzu; dann etwas damit tun",
    tipArea: "Felder anklicken oder überstreichen; Umschalt-Klick für ein Rechteck", tipOne: "eine Fläche anklicken", tipTwo: "beide Enden anklicken, oder ziehen", tipStart: "Felder in die Zone hinein- oder herausziehen",
    tipStamp: "Stempel wählen, dann klicken; Komma und Punkt drehen ihn, m spiegelt", toLevel: "Höhe",
    from: "{tool} von {tile}: nun das andere Ende", done: "{words}: getan", undone: "{words}: zurückgenommen", redone: "{words}: wieder getan", same0: "{words}: nichts zu ändern", refused: "{words}: {why}",
    emptyZone: "eine Zone behält ein Feld; nimm ihre Zeile aus dem Text, um sie loszuwerden", mendFirst: "erst den Text heilen: Gesten brauchen einen ohne Fehler", at: "{tile}, Höhe {level}", toolIs: "Werkzeug: {tool}",
    chosen: "{count} Felder gewählt", copy: "Kopieren", move: "Bewegen", turn: "Drehen", mirror: "Spiegeln", leave: "Loslassen", carrying: "{verb} {area}: klicke, wohin die Nordwestecke kommt; Komma und Punkt drehen, m spiegelt, Escape beendet es",
    stamps: "Stempel", ownStamps: "dieser Karte", turnStamp: "Drehen (,)", mirrorStamp: "Spiegeln (m)", chooseStamp: "wähle erst einen Stempel",
    writtenIn: "{tile} steht in {file}, Zeile {line}", notWritten: "von {tile} steht nirgends etwas", pathFrom: "der Weg von {tile}: zeige auf sein Ende; klicke ein anderes Feld, um dort zu beginnen",
    updated: "Das Studio wurde erneuert: lade diese Seite neu.", silent: "Das Studio antwortet nicht. Was du tippst, wird in diesem Browser gemerkt; neuer Versuch …",
    tooLong: "Der Text ist länger, als das Studio nimmt: er ist nur in diesem Browser gemerkt.",
    stranger: "Das Studio lässt diese Seite nicht herein: öffne die Adresse, die es nennt, in diesem Browser. Was du getippt hast, ist gemerkt und kommt mit.",
    noWebgl: "Dieser Browser zeigt kein WebGL2; Text und Urteile gehen trotzdem.", slow: "Dieses Gerät zeichnet langsam: das Brett wird ohne die gedruckten Teile gezeigt. In den Einstellungen kommen sie zurück.",
    changedOnDisk: "Ein anderes Programm hat die Datei geändert: ihr Text ist jetzt hier. Zurück bringt deinen wieder.", conflict: "Ein anderes Programm hat die Datei inzwischen geändert. Nichts wird gesichert, bis du wählst.",
    mine: "Meinen behalten", theirs: "Ihren nehmen", stopped: "angehalten", made: "{name}, {size} MB, dem Browser übergeben", building: "wird gebaut …",
    badLink: "Die Karte in diesem Link ist nicht lesbar.", replace: "Die Karte dieses Links an die Stelle der offenen Datei setzen?", linkCopied: "Link mit {count} Zeichen kopiert",
    all: "Alle Kopien ändern", here: "Nur hier, als Variante", leaveIt: "Lassen", style: "Aussehen der Teile", printer: "Drucker", process: "Druckweise", price: "Preis je Kilogramm", currency: "Währung", variants: "Gesichter je Teil", usual: "der der Karte, oder der übliche", language: "Sprache",
    keys: "Tasten", keysHelp: "Auf dem Brett: Pfeile und Eingabe tun, was die Maus tut; [ ] + - 0 drehen, zoomen und zentrieren; Escape geht zurück zum Schauen. Strg-C, Strg-X und Strg-V kopieren, bewegen und setzen das Gewählte ab, Entf löscht es. Im Text: Strg-Leertaste ergänzt, F1 erklärt, F8 springt zum nächsten Fehler, Strg-. heilt ihn, Umschalt-Alt-F ordnet. Überall: Strg-Z, Strg-Umschalt-Z.",
    mend: "Strg-. ändert es in {text}", noFault: "kein Fehler", suggestions: "Erprobte Abhilfen", tryIt: "Versuchen",
    plate: "{name}: {grams} g, {hours} h", gramsOf: "{grams} g", ahead: "Vorn", even: "Gleich",
    hand: "Hände", random: "ein Bot, der rät", greedy: "ein gieriger Bot", careful: "ein vorsichtiger Bot", searcher: "ein Bot, der sucht", red: "Rot", blue: "Blau",
    draftTeams: "Teams wählen und aufstellen (sonst werden sie gelost)", beginGame: "Beginnen", takeBack: "Zurücknehmen", movesNow: "Was getan werden kann", unitsNow: "Wer da ist", lately: "Zuletzt",
    turnOf: "Runde {round}, {side}: wähle", turnWith: "Runde {round}, {side} mit {unit}", gameOver: "vorbei in Runde {round}: {result}", legal: "hier geht etwas", active: "wer handelt", noMove: "hier geht nichts",
    merged: "Ein anderes Programm hat andere Zeilen der Datei geändert: beide sind jetzt hier. Zurück nimmt ihre heraus.",
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

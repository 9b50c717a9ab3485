// What a decision of a game offers, read from its message: acts, causes, outcomes, states.

const ACTS = {
  move: "move", free: "move", land: "jump", drop: "end", take: "treasure", attack: "strike",
  "attack rooted": "strike", swap: "move", catch: "reach", push: "push", splash: "push",
  "no push": "stop", scaffold: "raise", raise: "raise", partition: "raise", sink: "lower",
  crumble: "lower", vines: "tree", bandage: "heart", heal: "heart", elixir: "heart",
  "throw potion": "heart", "spring trap": "jump", way: "push", wind: "push", length: "level",
  end: "end", end_turn: "end", stay: "end", coin: "dice", quicksand: "water", werewolf: "skull",
};
export const CAUSES = {
  strength: "strike", boost: "raise", height: "level", attack: "strike", fall: "fall",
  dive: "fall", step: "fall", lava: "lava", pushed: "push", die: "skull", counter: "strike",
  chest: "treasure", sprung: "jump", then: "dice", worn: "lower", destroyed: "lower",
  new: "raise", revived: "heart", over: "end",
};
export const SIGNS = { ...ACTS, ...CAUSES };

// The symbol of a kind of acts or of effects.
export const signOf = (kind) => SIGNS[kind] ?? "reach";

// The acts that moves belong to, in their order: {kind, act, moves}. Units are chosen elsewhere.
export function actsOf(moves) {
  const found = new Map();
  for (const move of moves.filter(({ kind }) => kind !== "unit")) {
    const { kind, act } = move;
    if (!found.has(kind)) found.set(kind, { kind, act, moves: [] });
    found.get(kind).moves.push(move);
  }
  return [...found.values()];
}

// The moves of a kind of acts; all without one.
export const among = (moves, kind) => moves.filter((move) => !kind || move.kind === kind);

// The causes of what a move does, each with its figure; deaths are the outcome.
export const causesOf = ({ effects }) => effects.filter(({ kind }) => kind !== "die");

// How a move ends: sentences of deaths, and the units that have another health, {number, left}.
export function outcomeOf({ effects, health }) {
  const left = health.filter(([, now]) => now > 0).map(([number, now]) => ({ number, left: now }));
  const deaths = effects.filter(({ kind }) => kind === "die");
  return { deaths: deaths.map(({ words }) => words), left };
}

// The places on which units die by moves.
export function deathsOf(moves) {
  const found = moves.flatMap(({ effects }) => effects.filter(({ kind }) => kind === "die"));
  const places = new Map(found.map(({ place }) => [`${place}`, place]));
  return [...places.values()].filter(Boolean);
}

// The ways on which a move pushes units: [from, to].
export const pushesOf = ({ effects }, units) =>
  effects
    .filter(({ kind, unit, place }) => kind === "pushed" && units[unit]?.place && place)
    .map(({ unit, place }) => [units[unit].place, place]);

// The state of a unit as a key of the texts; null: it has its turn still before it.
export function stateOf(unit, active) {
  if (!unit.place) return unit.health ? "unitAside" : "unitOut";
  if (unit.number === active) return "unitActs";
  return unit.done ? "unitDone" : null;
}

// What the parts of the page share: where things stand, and a way to say something to the studio.
export const state = {
  revision: -1, // of the text that the studio knows
  get sent() {
    return app.sync?.idle ? null : app.sync?.text;
  }, // the text while the studio lacks it
  whole: false, // whether the text can be understood
  tool: null,
  first: null, // the first of two ends, or where an area begins
  at: null, // the surface under the pointer: {tile: [row, col], level}
  ghost: null, // what a click would do: {of, words, tapped, known, tiles, why, near, lines}
  tap: null, // what a finger was shown in a game: {place, act}
  built: null, // the tile and the tool of the last tap that built: a further tap builds again
  stroke: null, // the drag under way: {tool, tiles, points, at, last, first, add}
  keyed: false, // whether keys moved the cursor last
  lit: [], // tiles that something speaks of
  chosen: new Set(), // tiles picked with the lasso, as keys
  carry: null, // {verb, area, turn, mirror} on its way to another place
  stamp: null, // {name, turn, mirror, model: whether it is one of others}
  cover: null, // the overlay: {marks, arrows}
  pin: null, // where a path begins
  units: [],
  players: [], // of a side: hand, and bots by name
  making: null,
  settings: null,
};
export const app = { view: null, editor: null, wire: null, sync: null };
export const say = (type, fields = {}) => app.wire.say(type, fields);
// What changes the text goes through here, so that none is lost and each keeps its turn.
export const change = (type, fields = {}, after) => app.sync.change(type, fields, after);

// A store of the browser, which may be full or forbidden: the page works without it, too.
const guarded = (store, prefix) => ({
  get(name) {
    try {
      return store().getItem(prefix + name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      store().setItem(prefix + name, value);
    } catch {
      /* private windows keep nothing */
    }
  },
});
export const keep = guarded(() => localStorage, "studio.");
export const tab = guarded(() => sessionStorage, "");

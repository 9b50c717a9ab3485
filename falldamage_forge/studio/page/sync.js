// The text in the field and the studio's text, kept together. One change at a time is under way;
// each has a number, is answered by a `state` and said again until it is. What is typed meanwhile
// is laid over what comes. Nothing here knows of a page: `host` sends, shows and keeps.
import { applied, between, composed, cost, crossed, edit, moved } from "./changes.js";

export const REST_MS = 150; // how long hands rest before a word goes to the studio
export const plain = (text) => text.replace(/\r\n?/g, "\n");

// Whether one text has come from the other: most lines are still there, or few signs differ.
function akin(base, now) {
  const there = new Set(now.split("\n")),
    lines = base.split("\n");
  return (
    lines.filter((line) => there.has(line)).length >= lines.length / 2 ||
    cost(between(base, now)) <= now.length / 2
  );
}

export class Sync {
  // `host` has say(type, fields), show(text, place => place), keep({base, text}) for what no studio
  // has yet, kept() when there is none, and strange(text) for a text that fits nothing.
  constructor(host) {
    this.host = host;
    this.text = ""; // in the field
    this.known = ""; // the studio's
    this.saved = ""; // the last one that lay in the file
    this.pending = []; // the change from the studio's text, or from that under way, to the field's
    this.revision = -1;
    this.number = 0;
    // the change under way: {type, fields, number, change, text}; text where it was typed
    this.under = null;
    this.waiting = [];
    this.safe = true; // whether the studio's text lies on a disk
  }

  get changed() {
    return this.pending.length > 0 && this.text !== (this.under?.text ?? this.known);
  }
  get idle() {
    return !this.under && !this.waiting.length && !this.changed;
  }

  // -- what hands do -----------------------------------------------------------------------------

  edited(text, caret) {
    this.pending = composed(this.pending, edit(this.text, text, caret));
    this.text = text;
    this.note();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.go(), REST_MS);
  }

  // A change in words of the protocol, after what was typed before; `after` runs when it was heard.
  change(type, fields = {}, after = () => {}) {
    this.waiting.push({ type, fields, after });
    this.go();
  }

  // The next change goes out, if none is under way.
  go() {
    clearTimeout(this.resting);
    if (this.under || this.cut || this.revision < 0) return;
    if (this.changed && this.text !== this.barred)
      this.send({ type: "type", fields: { text: this.text }, ...this.own() });
    else if (this.waiting.length) this.send(this.waiting.shift());
  }

  own() {
    const change = this.pending;
    this.pending = [];
    return { text: this.text, change };
  }

  send(one) {
    this.number += 1;
    this.under = {
      ...one,
      fields: { revision: this.revision, ...one.fields, number: this.number },
    };
    this.host.say(one.type, this.under.fields);
  }

  // What was under way is no message the studio takes, a text too long, say: it stays here until it
  // is changed.
  refused(number) {
    const done = this.under;
    if (!done || done.fields.number !== number) return;
    this.under = null;
    if (done.text !== undefined) {
      this.pending = composed(done.change, this.pending);
      this.barred = done.text;
    }
    this.note();
    this.go();
  }

  // The line broke: nobody knows whether what was under way came through, nor who will answer next.
  // Until that is told, nothing is said.
  broke() {
    this.cut = true;
    if (this.revision >= 0) this.note();
  }

  // While an input method composes, the field is not touched.
  composing(on) {
    this.busy = on;
    const said = this.later;
    this.later = null;
    if (!on && said) this.state(said);
  }

  // -- what the studio says ----------------------------------------------------------------------

  state(said) {
    if (this.busy) {
      this.later = said;
      return;
    }
    const now = plain(said.text),
      first = this.revision < 0;
    const { cut } = this;
    this.cut = false;
    if (first) this.life = said.life;
    if (this.life !== said.life) {
      this.begun(said, now);
      return;
    }
    if (this.under && said.heard < this.under.fields.number) {
      if (cut) this.host.say(this.under.type, this.under.fields);
      return; // its answer will come, with the newest text
    }
    const base = first ? now : this.answered(said.stale),
      open = !first && this.pending.length > 0;
    // What another program wrote is no hand of ours: lines are brought together there, or asked
    // about.
    if (open && said.outside > this.revision) this.joined(base);
    else if (open && !akin(base, now))
      this.part(said, now); // somebody opened another map
    else this.take(base, said, now);
  }

  // The text that the pending change begins at, after the answer to what was under way.
  answered(stale) {
    const done = this.under;
    this.under = null;
    if (!done) return this.known;
    if (done.text === undefined) {
      done.after?.();
      return this.known;
    }
    if (!stale) return done.text;
    this.pending = composed(done.change, this.pending);
    return this.known;
  }

  // Takes over a text, and lays over it what was changed since `base`.
  take(base, said, now) {
    const [mine, theirs] = crossed(this.pending, between(base, now));
    this.pending = mine;
    this.stand(said, now);
    const text = applied(now, mine),
      before = this.text;
    this.text = text;
    if (text !== before) this.host.show(text, (place) => moved(place, theirs));
    this.note();
    this.go();
  }

  stand(said, now) {
    this.known = now;
    this.revision = said.revision;
    this.safe = said.kept;
    if (said.saved) this.saved = now;
  }

  // The studio joins lines; until it has, the revision stays that of `base`.
  joined(base) {
    this.known = base;
    this.send({ type: "join", fields: { base, text: this.text }, ...this.own() });
  }

  // Another run of the studio: it may have what was under way, or not, or another text.
  begun(said, now) {
    const done = this.under,
      since = this.pending;
    this.under = null;
    this.life = said.life;
    // it was not done
    if (done && done.text === undefined && now === this.known) this.waiting.unshift(done);
    const had = [done?.text, this.known, this.saved].filter((text) => text !== undefined);
    const base = had.reduce((best, text) =>
      cost(between(text, now)) < cost(between(best, now)) ? text : best,
    );
    if (base === this.known) this.pending = done?.change ? composed(done.change, since) : since;
    else if (base !== done?.text) this.pending = between(base, this.text);
    const typed = this.text !== base;
    if (said.revision > 0 && !akin(base, now)) this.part(said, now);
    else if (said.revision > 0 || base === now || (said.file && !typed)) this.take(base, said, now);
    else if (said.file) this.joined(base);
    else {
      // A map without a file begins as it comes along: what stands here takes its place.
      this.known = base;
      this.send({
        type: "type",
        fields: { text: this.text, revision: said.revision },
        ...this.own(),
      });
    }
  }

  // The studio has a text of another kind: ours is kept, and it is asked what becomes of it.
  part(said, now) {
    const text = this.text;
    this.pending = [];
    this.host.strange(this.saved, text);
    this.text = now;
    this.stand(said, now);
    this.host.show(now, (place) => Math.min(place, now.length));
    this.go();
  }

  // Keeps what no studio has, and nothing else.
  note() {
    const mine = this.changed || this.under?.text !== undefined || !this.safe;
    if (mine) this.host.keep({ base: this.saved, text: this.text });
    else this.host.kept();
  }
}

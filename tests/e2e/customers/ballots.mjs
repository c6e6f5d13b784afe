// What votes comments may have, where customers vote at once and a kill may leave a vote in doubt.

import assert from 'node:assert/strict';

const kinds = ['helpful', 'unhelpful'];

/** The votes that each customer may have had on each comment, and when: from the question until another vote is known to have taken its place. */
export class Ballots {
  #time = 0;
  #rows = new Map(); // by comment and customer

  now() { return ++this.#time; }

  #of(id, name) {
    if (!this.#rows.has(id)) this.#rows.set(id, new Map());
    const names = this.#rows.get(id);
    if (!names.has(name)) names.set(name, [{ vote: 'none', until: Infinity }]);
    return names.get(name);
  }

  /** The customer asks for this vote, or for none. It is in doubt until it was taken or refused. */
  begin(id, name, vote) { this.#of(id, name).push({ vote, until: Infinity }); }
  taken(id, name) {
    const end = this.now();
    for (const row of this.#of(id, name).slice(0, -1)) row.until = Math.min(row.until, end);
  }
  refused(id, name) { this.#of(id, name).at(-1).until = this.now(); }

  /** The comments on which the customer may have a vote. */
  of(name) { return [...this.#rows].filter(([, names]) => names.has(name)).map(([id]) => id); }
  inDoubt(id, name) { return this.#of(id, name).filter(({ until }) => until === Infinity).length > 1; }

  /** The comment, as an answer had it to a question of this time or later, counts the votes that it has. */
  check({ id, attributes = {} }, since) {
    const possible = [...(this.#rows.get(id)?.values() ?? [])].map((rows) => rows.filter(({ until }) => until >= since).map(({ vote }) => vote));
    for (const kind of kinds) {
      const low = possible.filter((votes) => votes.every((one) => one === kind)).length;
      const high = possible.filter((votes) => votes.includes(kind)).length;
      const count = attributes[kind] ?? 0;
      assert.ok(low <= count && count <= high, `${id} counts ${count} ${kind}, and has ${low} to ${high}`);
      assert.notEqual(attributes[kind], 0, 'nothing stands for no vote');
    }
  }
}

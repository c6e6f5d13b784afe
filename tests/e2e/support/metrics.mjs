// What a server counts.

import assert from 'node:assert/strict';

/** The value of a metric without labels, or of `name{labels}`. */
export async function metric(server, name) {
  const { text } = (await server.get('/metrics')).expect(200);
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  assert.ok(line, `/metrics has ${name}`);
  return Number(line.slice(name.length + 1));
}

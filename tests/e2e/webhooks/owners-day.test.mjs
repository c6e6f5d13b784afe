// The day of a bad review, as docs/webhooks.md tells it: each command is typed, and the message that Slack would have is the document's.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, temporaryDirectory } from '../support/harness.mjs';
import { typeExamples } from '../support/typed.mjs';
import { receiver } from './receiver.mjs';

const document = 'docs/webhooks.md';
const slack = '"https://hooks.slack.com/services/T0/B0/x"';

test('of a bad review a chat hears, the shop replies, and Google has it', async () => {
  const told = join(temporaryDirectory(), 'told');
  const chat = await receiver(() => { writeFileSync(told, ''); return 200; });
  await typeExamples(document, {
    least: 4,
    part: { from: '\n## The day of a bad review\n', to: '\n## A message\n' },
    replaced: { [slack]: `"${chat.url}"\nprivate = true`, 'kill %1': `until [ -e ${told} ]; do sleep 0.1; done; kill %1` },
  });
  const [, shown] = /\n## Slack\n[^]*?```text\n([^]*?)\n```/.exec(readFileSync(join(root, document), 'utf8'));
  assert.deepEqual(chat.messages.map(({ body }) => JSON.parse(body).text), [shown]);
});

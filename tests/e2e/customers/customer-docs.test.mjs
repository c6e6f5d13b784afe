// The examples of docs/customers.md sign tokens that the server takes, in each of its languages.
// Only in ./test --all: other programs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commentsPath, root, temporaryDirectory } from '../support/harness.mjs';
import { bearer, serveShop } from '../support/moderation.mjs';

const secret = 's'.repeat(40);
const guide = readFileSync(join(root, 'docs/customers.md'), 'utf8');
const example = (language) => new RegExp(`\`\`\`${language}\n([^\`]+(?:\`(?!\`\`)[^\`]*)*)\`\`\``).exec(guide)[1];
const customer = '{"id":"1077","name":"Ann","purchases":["42"]}';
const languages = {
  js: { program: process.execPath, file: 'sign.mjs', more: `\nprocess.stdout.write(tokenFor(${customer}));\n` },
  php: { program: 'php', file: 'sign.php', more: `\necho token_for(json_decode('${customer}', true));\n` },
  python: { program: 'python3', file: 'sign.py', more: `\nprint(token_for(json.loads('${customer}')), end="")\n` },
};

for (const [language, { program, file, more }] of Object.entries(languages)) {
  test(`a token signed by the example in ${language} is taken`, async () => {
    const path = join(temporaryDirectory(), file);
    writeFileSync(path, example(language) + more);
    const signed = spawnSync(program, [path], { env: { ...process.env, REVIEWS_SECRET: secret }, encoding: 'utf8' });
    assert.equal(signed.status, 0, signed.stderr);
    const table = /\[writing\][\s\S]*?secret = "secret.txt"/.exec(guide)[0];
    const server = await serveShop({ shop: `${table}\n`, files: { 'secret.txt': `${secret}\n` } });
    const comment = (await server.post(commentsPath('42'), { rating: 5 }, bearer(signed.stdout))).expect(201).json;
    assert.deepEqual([comment.author, comment.attributes], ['Ann', { verified: true }]);
    await server.stop();
  });
}

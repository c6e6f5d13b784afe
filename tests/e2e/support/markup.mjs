// Checkers of pages: vnu, the W3C's checker of HTML and CSS.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, root, temporaryDirectory } from './harness.mjs';

/** A file of the page. The style is a folder of files, of which the binary makes one. */
function asset(name) {
  const path = join(root, 'web', name);
  return statSync(path).isDirectory() ? readdirSync(path).sort().map((piece) => readFileSync(join(path, piece), 'utf8')).join('') : readFileSync(path);
}

/** Nothing may be wrong with the pages, {name: bytes}, nor with the style. One Java for all, because its start takes longest. */
export async function mustBeValid(pages) {
  const directory = temporaryDirectory();
  for (const [name, bytes] of Object.entries(pages)) writeFileSync(join(directory, `${name}.html`), bytes);
  for (const name of ['style.css', 'moderation.css', 'favicon.svg', 'star.svg']) writeFileSync(join(directory, name), asset(name));
  const jar = join(here, 'node_modules/vnu-jar/build/dist/vnu.jar');
  // It guesses a page's language by its words, and takes Dutch for Afrikaans.
  const java = spawn('java', ['-Xss2m', '-XX:TieredStopAtLevel=1', '-jar', jar, '--no-langdetect', '--also-check-css', '--also-check-svg', '--format', 'json', directory]);
  let text = '';
  java.stderr.on('data', (chunk) => { text += chunk; });
  const status = await new Promise((done, fail) => java.on('close', done).on('error', fail));
  const found = JSON.parse(text).messages.map(({ url, type, message, extract }) => `${url?.split('/').at(-1)}: ${type}: ${message} ${extract ?? ''}`);
  assert.deepEqual(found, []);
  assert.ok(status <= 1, text);
}

// The examples of the README as a reader types them: its shell blocks run one after the other in one shell, in a folder
// that has only the build, and must print what the block of text behind them shows. There "…" stands for any characters.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { binary, root, temporaryDirectory } from './support/harness.mjs';

const address = '127.0.0.1:8081'; // in the README; tests take a free port
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** [{heading, code, shown}]: `shown` is the text that follows the code, if any. */
function examples() {
  const part = readme.slice(readme.indexOf('\n## Examples\n'), readme.indexOf('\n## Figures\n'));
  const blocks = [...part.matchAll(/^```sh\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)];
  return blocks.map(([, code, shown]) => ({ code, shown }));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Whether `printed` is what the README shows. Line breaks may differ: curl adds none behind an answer. */
function matches(printed, shown) {
  const line = (text) => text.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*');
  const pattern = shown.trim().split('\n').map((text) => (text === '…' ? '[^]*' : line(text))).join('\\s*');
  return new RegExp(`^\\s*${pattern}\\s*$`).test(printed);
}

/** One shell, as a reader's: commands go in, what they and their background jobs print comes out. */
class Shell {
  constructor(folder) {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_'));
    this.child = spawn('bash', [], { cwd: folder, env: Object.fromEntries(kept), stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.printed = '';
    this.child.stdout.on('data', (text) => { this.printed += text; });
    this.child.stdin.write('exec 2>&1\ntrap \'echo "failed: $BASH_COMMAND"\' ERR\n');
  }

  /** What the code prints; waits until it ended and `enough` says that nothing is missing, for ten seconds at most. */
  async type(code, enough) {
    this.printed = '';
    this.child.stdin.write(`${code}\nprintf 'the end of %s\\n' "$?"\n`);
    const ended = /the end of \d+\n/;
    const text = () => this.printed.replace(ended, '');
    for (let waited = 0; !ended.test(this.printed) || (waited < 200 && !enough(text())); ++waited) {
      await new Promise((done) => setTimeout(done, 50));
    }
    return text();
  }

  end() { process.kill(-this.child.pid, 'SIGKILL'); }
}

test('the examples of the README work as typed', { timeout: 300_000 }, async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'build'));
  symlinkSync(dirname(binary), join(folder, 'build/release'));
  const own = `127.0.0.1:${await freePort()}`;
  const blocks = examples();
  assert.ok(blocks.length >= 8, `only ${blocks.length} blocks of commands were found`);
  const shell = new Shell(folder);
  try {
    for (const { code, shown = '' } of blocks) {
      const [typed, wanted] = [code, shown].map((text) => text.replaceAll(address, own));
      const printed = await shell.type(typed, (text) => !shown || matches(text, wanted));
      assert.doesNotMatch(printed, /^failed: /m, `${code}printed\n${printed}`);
      if (shown) assert.ok(matches(printed, wanted), `${code}printed\n${printed}\nbut the README shows\n${shown}`);
    }
  } finally {
    shell.end();
  }
});

test('what the README shows is compared', () => {
  assert.ok(matches('{"id":"01J"}\n2 added\n', '{"id":"…"}\n2 added\n'));
  assert.ok(matches('a{"b":1}c', 'a\n{"b":1}\nc'));
  assert.ok(matches('1\n2\n3\n', '…\n3'));
  assert.ok(!matches('2 added', '20 added'));
  assert.ok(!matches('2 added\n', '2 added\n0 rejected\n'));
  assert.ok(!matches('1\n2\n', '1'));
});

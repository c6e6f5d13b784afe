// Examples of documents as a reader types them: the shell blocks of a document run one after the other in one shell, and
// must print what the block of text behind them shows. There "…" stands for any characters.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from './servers/servers.mjs';
import { binary, cleanEnvironment, root, temporaryDirectory } from './harness.mjs';

/** [{code, shown}] of a document, or of its part from one text to another: `shown` is the text that follows the code, if any. */
export function examplesOf(document, { from, to } = {}) {
  const whole = readFileSync(join(root, document), 'utf8');
  const text = from ? whole.slice(whole.indexOf(from), whole.indexOf(to)) : whole;
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)];
  return blocks.map(([, code, shown = '']) => ({ code, shown }));
}

/**
 * Whether `printed` is what the document shows, line by line. A line "…" stands for any lines. Lines of the log come
 * whenever a job in the background has news, so a document need not show them.
 */
export function matches(printed, shown) {
  const withoutLog = printed.replace(/^\d{4}-\d\d-\d\dT\S+Z (info|warning): .*\n/gm, '');
  const line = (text) => text.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*');
  const pattern = shown.trim().split('\n').map((text) => (text === '…' ? '(.*\\n)*' : `${line(text)}\\n`)).join('');
  const whole = new RegExp(`^${pattern}$`);
  return whole.test(printed) || whole.test(withoutLog);
}

/** One shell, as a reader's: commands go in, what they and their background jobs print comes out. */
class Shell {
  constructor(child) {
    this.child = child;
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

/** A shell in a folder of this machine, with the build and on the path quire. Nobody asks AWS. */
function shellHere() {
  const folder = temporaryDirectory();
  for (const made of ['build', 'bin']) mkdirSync(join(folder, made));
  symlinkSync(dirname(binary), join(folder, 'build/release'));
  symlinkSync(binary, join(folder, 'bin/quire'));
  symlinkSync('/bin/true', join(folder, 'bin/aws'));
  return spawn('bash', [], { cwd: folder, env: cleanEnvironment({ PATH: `${folder}/bin:${process.env.PATH}` }), ...piped });
}

/** How a shell is started whose commands are typed: in a group of its own, with all that it starts. */
export const piped = { stdio: ['pipe', 'pipe', 'inherit'], detached: true };

/**
 * Types the examples of a document in a shell; the ports that the document names become free ones. `replaced`: what else
 * is typed otherwise. `before`: what the reader did.
 */
export async function typeExamples(document, { least = 1, part, shell: started = shellHere(), replaced = {}, before = ':' } = {}) {
  const blocks = examplesOf(document, part);
  assert.ok(blocks.length >= least, `${document}: only ${blocks.length} blocks of commands were found`);
  const changes = Object.entries(replaced);
  for (const port of new Set(blocks.flatMap(({ code }) => code.match(/127\.0\.0\.1:\d+/g) ?? []))) changes.push([port, `127.0.0.1:${await freePort()}`]);
  const shell = new Shell(started);
  try {
    await shell.type(before, () => true);
    for (const { code, shown } of blocks) {
      const [typed, wanted] = [code, shown].map((text) => changes.reduce((now, [from, to]) => now.replaceAll(from, to), text));
      const printed = await shell.type(typed, (text) => !shown || matches(text, wanted));
      assert.doesNotMatch(printed, /^failed: /m, `${document}: ${code}printed\n${printed}`);
      if (shown) assert.ok(matches(printed, wanted), `${document}: ${code}printed\n${printed}\nbut the document shows\n${shown}`);
    }
  } finally {
    shell.end();
  }
}

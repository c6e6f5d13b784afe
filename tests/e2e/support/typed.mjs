// Examples of documents as a reader types them: the shell blocks of a document run one after the other in one shell, and
// must print what the block of text behind them shows. There "…" stands for any characters.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from './dynamodb.mjs';
import { binary, root, temporaryDirectory } from './harness.mjs';

/** [{code, shown}] of a document, or of its part from one text to another: `shown` is the text that follows the code, if any. */
export function examplesOf(document, { from, to } = {}) {
  const whole = readFileSync(join(root, document), 'utf8');
  const text = from ? whole.slice(whole.indexOf(from), whole.indexOf(to)) : whole;
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)];
  return blocks.map(([, code, shown = '']) => ({ code, shown }));
}

/** Whether `printed` is what the document shows. Line breaks may differ: curl adds none behind an answer. */
export function matches(printed, shown) {
  const line = (text) => text.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*');
  const pattern = shown.trim().split('\n').map((text) => (text === '…' ? '[^]*' : line(text))).join('\\s*');
  return new RegExp(`^\\s*${pattern}\\s*$`).test(printed);
}

/** One shell, as a reader's: commands go in, what they and their background jobs print comes out. */
class Shell {
  constructor(folder) {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_'));
    this.child = spawn('bash', [], { cwd: folder, env: { ...Object.fromEntries(kept), PATH: `${folder}/bin:${process.env.PATH}` }, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
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

/** Stands for programs of a machine on which quire is installed as a service: they serve, and know no users. */
const stands = (folder) => ({
  aws: '',
  chown: '',
  runuser: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
  journalctl: 'sleep 0.3; tail -n "${@: -1}" journal',
  systemctl: `
start() {
  quire --config ${folder}/etc/quire/quire.toml serve >> journal 2>&1 & echo $! > service
  until grep -q "^listening on" journal; do sleep 0.02; done
}
stop() {
  if [ -f service ]; then kill "$(cat service)"; while kill -0 "$(cat service)" 2> /dev/null; do sleep 0.02; done; fi
  : > journal
}
case $1 in
  start) start ;;
  restart) stop; start ;;
  stop) stop ;;
  reload) kill -HUP "$(cat service)" ;;
esac`,
});

/** A folder with the build, and a bin/ with quire and the stands. */
function machine() {
  const folder = temporaryDirectory();
  for (const made of ['build', 'bin']) mkdirSync(join(folder, made));
  symlinkSync(dirname(binary), join(folder, 'build/release'));
  symlinkSync(binary, join(folder, 'bin/quire'));
  for (const [name, code] of Object.entries(stands(folder))) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\ncd ${folder}\n${code}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  return folder;
}

/**
 * Types the examples of a document on a machine of their own, on which absolute folders are below a temporary one and
 * the ports that the document names are free ones. `replaced`: what else is typed otherwise. `before`: what the reader did.
 */
export async function typeExamples(document, { least = 1, part, folders = [], replaced = {}, before = ':' } = {}) {
  const folder = machine();
  const blocks = examplesOf(document, part);
  assert.ok(blocks.length >= least, `${document}: only ${blocks.length} blocks of commands were found`);
  const changes = Object.entries(replaced);
  for (const each of folders) {
    mkdirSync(join(folder, each), { recursive: true });
    changes.push([each, join(folder, each)]);
  }
  for (const port of new Set(blocks.flatMap(({ code }) => code.match(/127\.0\.0\.1:\d+/g) ?? []))) changes.push([port, `127.0.0.1:${await freePort()}`]);
  const shell = new Shell(folder);
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

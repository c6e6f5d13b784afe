// Reads a Containerfile and does its steps in a Debian tree, as far as ours go: there is no engine for containers here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** [{from, name, steps: [[word, text]]}], a stage each. */
export function stages(file) {
  const lines = readFileSync(file, 'utf8').replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '').split('\n').filter(Boolean);
  const found = [];
  for (const line of lines) {
    const [, word, text] = /^([A-Z]+) (.*)$/.exec(line);
    if (word === 'FROM') {
      const [from, as, name] = text.split(' ');
      assert.ok(as === undefined || as === 'AS', line);
      found.push({ from, name, steps: [] });
    } else {
      found.at(-1).steps.push([word, text]);
    }
  }
  return found;
}

/** Does the steps in the tree. `places` has the folder of this machine for each stage that is copied from, and as '' that of the
    Containerfile. Gives what a container would be started with: {env, user, volume, health, command}. */
export function build({ steps }, tree, places) {
  const started = { env: {} };
  const does = {
    COPY: (text) => copy(text, tree, places),
    RUN: (text) => tree.must('sh', '-c', text),
    ENV: (text) => Object.assign(started.env, Object.fromEntries(text.split(' ').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))),
    USER: (text) => { started.user = text; },
    VOLUME: (text) => { started.volume = text; },
    EXPOSE: (text) => { started.port = text; },
    HEALTHCHECK: (text) => { started.health = JSON.parse(/ CMD (\[.*)$/.exec(text)[1]); },
    CMD: (text) => { started.command = JSON.parse(text); },
  };
  for (const [word, text] of steps) {
    assert.ok(does[word], `the steps ${Object.keys(does).join(', ')} are known, not ${word}`);
    does[word](text);
  }
  return started;
}

function copy(text, tree, places) {
  const [, , stage = '', from, to] = /^(--from=(\S+) )?(\S+) (\S+\/)$/.exec(text);
  const { folder, of = '' } = places[stage];
  assert.ok(from.startsWith(of), `${from} is in ${of}`);
  const source = `${folder}/${from.slice(of.length)}`;
  execFileSync('sh', ['-c', `mkdir -p "$1" && cp -r ${source} "$1"`, 'sh', tree.path(to)]);
}

// What operators get to watch Quire: every metric named there exists, every metric is named, and promtool takes the rules.
// Only in ./test --all: other programs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, serve, temporaryDirectory } from './support/harness.mjs';

const text = (path) => readFileSync(join(root, path), 'utf8');
const rules = text('packaging/prometheus/quire.rules.yml');
const dashboard = JSON.parse(text('packaging/grafana/quire.json'));
const targets = dashboard.panels.flatMap(({ targets }) => targets ?? []);

/** The metrics that a text names; of a histogram its family. Names with a colon are recorded by rules. */
const named = (text) => new Set([...text.matchAll(/(?<![\w:])quire_[a-z_]*[a-z](?![\w:])/g)].map(([name]) => name.replace(/_bucket$/, '')));

/** Some metrics are there only beside a table: these are in the sources of servers and stores, as literals. */
function known(metrics) {
  const files = ['src/http', 'src/store'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`));
  const sources = files.filter((file) => /\.(cc|h)$/.test(file)).map(text).join('\n');
  const literals = [...sources.matchAll(/"(quire_[a-z_]*[a-z])"/g)].map(([, name]) => name);
  return new Set([...literals, ...[...metrics.matchAll(/^# TYPE (quire_\w+) /gm)].map(([, name]) => name)]);
}

test('the dashboard, the rules and the docs name the metrics that there are', async () => {
  const server = await serve();
  const there = known((await server.get('/metrics')).expect(200).text);
  await server.stop();
  assert.ok(there.size > 30, [...there].join(' '));
  const lists = { dashboard: targets.map(({ expr }) => expr).join('\n'), rules, serving: text('docs/serving.md'), projection: text('docs/projection.md') };
  for (const [where, list] of Object.entries(lists)) {
    for (const name of named(list)) assert.ok(there.has(name), `${where} names ${name}, which is no metric`);
  }
  for (const name of there) {
    assert.ok(named(lists.dashboard).has(name), `no panel shows ${name}`);
    assert.ok(named(lists.serving + lists.projection).has(name), `no document explains ${name}`);
  }
});

test('promtool takes the rules, and they ring when they should', () => {
  const promtool = (...args) => execFileSync(join(root, 'build/tools/promtool'), args, { encoding: 'utf8', cwd: root });
  assert.match(promtool('check', 'rules', '--lint-fatal', 'packaging/prometheus/quire.rules.yml'), /SUCCESS/);
  assert.match(promtool('test', 'rules', 'tests/packaging/prometheus/quire.rules.test.yml'), /SUCCESS/);
  const variables = (expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'quire').replaceAll('$instance', '.*');
  const file = join(temporaryDirectory(), 'dashboard.yml');
  const recorded = targets.map(({ expr }, at) => ({ record: `panel:${at}`, expr: variables(expr) }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] })); // JSON is YAML
  assert.match(promtool('check', 'rules', file), new RegExp(`SUCCESS: ${targets.length} rules`));
});

test('every alarm says what to do, and every panel has its own place', () => {
  for (const alert of rules.split(/^ {6}- alert: /m).slice(1)) {
    for (const part of [/severity: (critical|warning|info)/, /summary: .+/, /description: /]) assert.match(alert, part, alert.slice(0, 40));
  }
  const taken = new Set();
  for (const { title, gridPos: { x, y, w, h } } of dashboard.panels) {
    for (let column = x; column < x + w; ++column) {
      for (let line = y; line < y + h; ++line) {
        assert.ok(column < 24 && !taken.has(`${column},${line}`), `${title} lies on another panel`);
        taken.add(`${column},${line}`);
      }
    }
  }
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
});

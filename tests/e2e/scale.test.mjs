// docs/scale.md: its tables are those of tools/scale, and the model behind them behaves.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inputs, valuesOf } from '../../tools/scale_model/inputs.mjs';
import { bytesOf, fillHours, memoryFor, readUnits, tableBytes, total, ways, writeUnits } from '../../tools/scale_model/model.mjs';
import { tables } from '../../tools/scale_model/tables.mjs';
import { root } from './support/harness.mjs';

const usual = valuesOf();
const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)), `${a} is not ${b}`);
const scale = (...args) => spawnSync(`${root}/tools/scale`, args, { encoding: 'utf8' });

test('the tables in docs/scale.md are those of the model', () => {
  const text = readFileSync(`${root}/docs/scale.md`, 'utf8');
  const inText = text.split(/\n\n/).filter((block) => block.startsWith('|')).map((block) => block.trim());
  assert.deepEqual(inText.sort(), Object.values(tables(usual)).sort());
});

test('a figure that is said to be of docs/performance.md is there', () => {
  const text = readFileSync(`${root}/docs/performance.md`, 'utf8');
  const figures = ['disk per comment | 529.3 bytes', 'rendered each time: 46.97 µs', 'page 25,001, server CPU | 247.4 µs', 'entry of an index takes 490 bytes'];
  for (const figure of figures) assert.ok(text.replaceAll('\n', ' ').includes(figure), figure);
});

test('twice the comments and products are twice the bytes; pages do not change them', () => {
  const twice = { ...usual, comments: 2 * usual.comments, products: 2 * usual.products, pages: 9 };
  for (const [name, bytes] of Object.entries(bytesOf(twice))) close(bytes, 2 * bytesOf(usual)[name]);
  close(tableBytes(twice).all, 2 * tableBytes(usual).all);
});

test('a comment alone, by hand', () => {
  // Its item and four entries; statistics and average of all languages and of one; three places in leaderboards; the registry.
  const i = { ...usual, comments: 1, products: 1, languages: 1, fiveStars: 0.5 };
  close(tableBytes(i).base, 671 + 2 * 209 + 2 * 151 + 123);
  close(tableBytes(i).all, tableBytes(i).base + 4 * 590 + 4 * 155);
  close(writeUnits(i).write, 6 + 8 + 4 + 2 + 2);
  close(writeUnits(i).stream, 5 + 8 + 4 + 2 + 2 + 2);
  close(readUnits({ ...i, pages: 10, hits: 0.5 }), 5 * 2.3);
});

test('memory saves waiting, and as much as memoryFor() says gives the time that was asked for', () => {
  const index = { bytes: 200e9, cpu: 50, faults: 4 };
  let last = Infinity;
  for (let memory = 0; memory <= 250e9; memory += 10e9) {
    const hours = fillHours(usual, { ...index, memory });
    assert.ok(hours <= last);
    last = hours;
  }
  close(last, (usual.comments * 50) / 3.6e9);
  for (const hours of [8, 20, 40]) close(fillHours(usual, { ...index, memory: memoryFor(usual, { ...index, hours }) }), hours);
  assert.equal(memoryFor(usual, { ...index, hours: 6 }), Infinity, 'the processor alone takes longer');
});

test('the cost of a way is the sum of its parts, none of them negative', () => {
  for (const [name, way] of Object.entries(ways(usual))) {
    for (const [part, dollars] of Object.entries(way.dollars)) assert.ok(dollars > 0 && Number.isFinite(dollars), `${name}: ${part}`);
    close(total(way), Object.values(way.dollars).reduce((sum, each) => sum + each));
  }
});

test('the command takes other inputs, and refuses what it does not know', () => {
  const own = scale('comments=5e6', 'products=1e6', '--inputs');
  assert.equal(own.status, 0, own.stderr);
  assert.match(own.stdout, /\| `comments` \| 5,000,000 \|/);
  for (const table of Object.values(tables(valuesOf({ comments: 5e6, products: 1e6 })))) assert.ok(own.stdout.includes(table));
  for (const args of [['comment=5'], ['comments'], ['comments=many'], ['comments=-1'], ['--outputs']]) assert.equal(scale(...args).status, 2, args.join(' '));
  assert.equal(scale('--help').status, 0);
  for (const { from } of Object.values(inputs)) assert.ok(from);
});

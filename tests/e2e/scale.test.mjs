// docs/scale.md: its tables are those of tools/scale, and the model behind them behaves.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inputs, valuesOf } from '../../tools/scale_model/inputs.mjs';
import { bytesOf, ends, fillHours, hotPosts, memoryFor, partsNeeded, provisionedReads, readUnits, tableBytes, total, unitsOfAPage, ways, writeUnits } from '../../tools/scale_model/model.mjs';
import { tables } from '../../tools/scale_model/tables.mjs';
import { root } from './support/harness.mjs';

const usual = valuesOf();
const close = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)), `${a} is not ${b}`);
const scale = (...args) => spawnSync(`${root}/tools/scale`, args, { encoding: 'utf8' });

test('the tables in docs/scale.md are those of the model', () => {
  const text = readFileSync(`${root}/docs/scale.md`, 'utf8');
  const inText = text.split(/\n\n/).filter((block) => block.startsWith('|')).map((block) => block.trim());
  assert.deepEqual(inText, tables(usual));
});

test('a figure that is said to be of docs/performance.md is there', () => {
  const text = readFileSync(`${root}/docs/performance.md`, 'utf8');
  const figures = ['disk per comment | 529.3 bytes', 'rendered each time: 38.11 µs', 'page 25,001, server CPU | 247.4 µs', 'entry of an index takes 490 bytes', 'read units a page, no filter | 1.60'];
  for (const figure of figures) assert.ok(text.replaceAll('\n', ' ').includes(figure), figure);
  const filters = [...text.matchAll(/read units a page, .*ratings.* \| ([\d.]+) \| Go/g)].map(([, units]) => Number(units));
  assert.equal(filters.length, 5);
  close(filters.reduce((sum, each) => sum + each) / 5, usual.filterUnits);
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
  close(readUnits({ ...i, pages: 10, hits: 0.5 }), 5 * (0.5 + 0.5));
});

test('read units follow the comments of a product, up to those of a full page', () => {
  const units = (comments) => unitsOfAPage({ ...usual, comments, products: 1 });
  assert.equal(units(0), 0.5 + 0.5, 'an empty list costs as much as a short one');
  assert.equal(units(8), 0.5 + 0.5, '3,920 bytes');
  assert.equal(units(9), 1 + 0.5, '4,410 bytes');
  close(units(26), 0.7 * 1.6 + 0.3 * 2 + 0.5); // 12,740 bytes: four units of 4 KiB
  close(units(1e6), 0.7 * 1.6 + 0.3 * 2.44 + 0.5);
  close(unitsOfAPage({ ...usual, visited: 10 }), 0.7 * 1.6 + 0.3 * 2.44 + 0.5);
});

// Worked out on paper from the inputs in docs/scale.md. A GiB is 1,073,741,824 bytes, a month 730 hours or 2,628,000 seconds.
test('totals of the question, by hand', () => {
  const is = (value, expected) => assert.ok(Math.abs(value - expected) <= 1e-4 * expected, `${value} is not ${expected}`);
  const { embedded, none, lmdb, sql, redis } = ways(usual);
  const limits = ends(usual);
  // Embedded: 500e6 * 529 + 100e6 * 1,385 bytes. One machine: 0.686 * 730 = 500.78; a backup: 375.32 GiB * 0.023 = 8.63.
  is(embedded.bytes, 403e9);
  is(total(embedded), 509.41);
  is(limits.storeComments, 1.8610e9); // 0.8 * 1,875e9 / 806
  // In memory: 57.6 GiB = 61.85e9 bytes, so 0.84653 of the leaves are missing. A comment takes
  // 24 + 14 * 0.84653 * 100 + 14 / 0.11 = 1,336.4 µs, or without a missing leaf 151.3 µs.
  is(embedded.memory, 61.848e9);
  is(embedded.hours, 185.61);
  is(embedded.hoursInMemory, 21.01);
  is(limits.storePosts, 748.3); // 1e6 / 1,336.4
  is(limits.storePages, 14_654); // 8 cores / (38 + 6 * 0.84653 * 100 = 545.92 µs)
  // Table: comments 500e6 * (671 + 4 * 590) = 1,515.5e9 bytes; 3.57 kinds of statistics for each product, so
  // 100e6 * (3.57 * (209 + 151) + 123 = 1,408.2) = 140.82e9, and leaderboards 100e6 * 7.14 * 155 = 110.67e9.
  is(none.bytes, 1766.99e9);
  is(provisionedReads(usual), 271.14); // 2,000 / 0.7 * 0.00013 * 730
  assert.equal(none.shards, 48); // (335.5e9 + 140.82e9) / 10e9 = 47.6
  // 1,645.64 GiB * 0.25; 443.61 GiB * 0.2; 2,000 pages * 1 unit * 2.628 * 0.125; 10 posts * 20.4 units * 2.628 * 0.625; 2 * 0.0816 * 730.
  is(total(none), 411.41 + 88.72 + 657 + 335.07 + 119.14);
  is(none.loadDollars, 6375); // 500e6 * 20.4 units
  is(none.hours, 70.833); // 10.2e9 / 40,000 / 3,600
  is(limits.tablePages, 40_000);
  is(limits.productPages, 1275.5); // 3,000 / 2.352
  // lmdb: 500e6 * 85 + 100e6 * 1,153 = 157.8e9 bytes. In 20 hours a comment has 144 µs: 50 of a core, 4 / 0.11 = 36.36 to write,
  // so 57.64 to read: 0.14409 of 400. Memory 0.85591 * 157.8e9 = 135.06e9, 2.1838 times a machine's. Two such machines are
  // 2 * 2.1838 * 500.78 = 2,187.2, and are the servers. Reads of the stream: 48 * 5 * 2.628 * 0.2 = 126.14.
  is(lmdb.memory, 135.06e9);
  // 61.848e9 / 315.6 = 195.97e6 comments fit a machine; n * 486.364 - 195.97e6 * 400 = 72e9 µs.
  is(limits.lmdbComments, 309.21e6);
  is(total(lmdb), total(none) - 119.14 + 2187.2 + 126.14);
  // SQL: 500e6 * 155 + 100e6 * 159 = 93.4e9 bytes, memory 79.942e9, 1.29256 * 500.78 = 647.29. Stream: 48 * 4 * 2.628 * 0.2 = 100.92.
  is(limits.sqlComments, 420.34e6); // 61.848e9 / 186.8 = 331.09e6 fit
  is(total(sql), total(none) + 647.29 + 100.92);
  // Redis: 500e6 * 454 = 227e9 bytes = 211.41 GiB / 19.7 = 10.7, so 11 nodes, twice: 22 * 0.437 * 730 = 7,018.22.
  is(total(redis), total(none) + 3190.10 + 100.92);
  is(redis.indexHours, 6.9444); // 500e6 * 50 µs
});

test('memory saves waiting, and as much as memoryFor() says gives the time that was asked for', () => {
  const index = { bytes: 200e9, cpu: 50, faults: 4 }; // and 4 / 0.11 µs to write
  let last = Infinity;
  for (let memory = 0; memory <= 250e9; memory += 10e9) {
    const hours = fillHours(usual, { ...index, memory });
    assert.ok(hours <= last);
    last = hours;
  }
  close(last, (usual.comments * (50 + 4 / 0.11)) / 3.6e9);
  for (const hours of [13, 20, 40]) close(fillHours(usual, { ...index, memory: memoryFor(usual, { ...index, hours }) }), hours);
  assert.equal(memoryFor(usual, { ...index, hours: 11 }), Infinity, 'processor and writes alone take longer');
});

test('the command takes other inputs, and refuses what it does not know', () => {
  const own = scale('comments=5e6', 'products=1e6');
  assert.equal(own.status, 0, own.stderr);
  assert.match(own.stdout, /\| `comments` \| 5,000,000 \|/);
  assert.equal(own.stdout, `${tables(valuesOf({ comments: 5e6, products: 1e6 })).join('\n\n')}\n`);
  for (const args of [['comment=5'], ['comments'], ['comments=many'], ['comments=-1'], ['--outputs']]) assert.equal(scale(...args).status, 2, args.join(' '));
  assert.equal(scale('--help').status, 0);
  for (const { from } of Object.values(inputs)) assert.ok(from);
});

test('a hot product, by hand', () => {
  const taken = (all, byLang, byRating, byLangAndRating) => hotPosts(usual, { all, byLang, byRating, byLangAndRating });
  close(taken(1, 16, 16, 16), 1000);
  close(taken(16, 1, 16, 16), 1000 / 0.7);
  close(taken(16, 16, 1, 16), 2000);
  close(taken(16, 16, 16, 2), 2000 / 0.35);
  // 5,000 / 800, 3,500 / 800, 2,500 / 800 and 1,750 / 800, rounded up.
  assert.deepEqual(partsNeeded(usual), { all: 7, byLang: 5, byRating: 4, byLangAndRating: 3 });
  assert.equal(partsNeeded({ ...usual, hotPosts: 900 }).all, 2);
});

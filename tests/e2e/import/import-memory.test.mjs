// The memory that the converter of files takes, whatever their size: at most 64 MiB, and 16 bytes a row for the ids that it
// has seen. QUIRE_MOVING_MIB: the size of each file, such as 1024.
// Only in ./test --all: half a minute of large files.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, cleanEnvironment, temporaryDirectory } from '../support/harness.mjs';

const size = Number(process.env.QUIRE_MOVING_MIB ?? 64) * 2 ** 20;
const text = 'A warm and well made hat that fits as it should, in the colour of the picture. I wear it every day. '.repeat(2);
const at = (n) => new Date(1.6e12 + n * 1000).toISOString();

const json = (n) => JSON.stringify({ id: `r${n}`, product: `p${n % 500}`, stars: 1 + n % 5, at: at(n), author: `Ann ${n}`, text: `${text}${n}` });
// Each second row answers the one after it.
const answered = (n) => JSON.stringify({ id: `r${n}`, of: n % 2 ? '0' : `r${n + 1}`, product: `p${n % 500}`, stars: 1 + n % 5, at: at(n), author: `Ann ${n}`, text: `${text}${n}` });
const fields = 'id = { column = "id" }\nproduct = { column = "product" }\nrating = { column = "stars" }\ncreated_at = { column = "at" }\nauthor = { column = "author" }\ntext = { column = "text" }\n';
const own = `[file]\nsource = "made"\n[comment]\n${fields}`;

const kinds = {
  csv: {
    map: 'judgeme', head: 'title,body,rating,review_date,curated,reviewer_name,product_handle,metaobject_handle\n',
    row: (n) => `"Title ${n}","${text}""${n}""",${1 + n % 5},${at(n)},ok,Ann ${n},p${n % 500},r${n}\n`,
  },
  'JSON lines': { own, row: (n) => `${json(n)}\n` },
  'an array of JSON': { own: own.replace('[comment]', 'rows = "data.reviews"\n[comment]'), head: '{"data":{"reviews":[\n', row: (n) => `${n ? ',' : ''}${json(n)}\n`, foot: ']}}' },
  xml: {
    map: 'google', head: '<feed><version>2.3</version><publisher><name>Shop</name></publisher><reviews>\n', foot: '</reviews></feed>',
    row: (n) => `<review><review_id>r${n}</review_id><reviewer><name>Ann ${n}</name></reviewer><review_timestamp>${at(n)}</review_timestamp><content>${text}${n}</content><ratings><overall min="1" max="5">${1 + n % 5}</overall></ratings><products><product><product_ids><skus><sku>p${n % 500}</sku></skus></product_ids></product></products></review>\n`,
  },
  'replies in rows of their own': { own: `${own}[reply]\nof = "of"\n`, row: (n) => `${answered(n)}\n`, more: 16 },
};

/** Writes rows until the file has its size. Returns how many there are. */
function write(file, { head = '', row, foot = '' }) {
  const out = openSync(file, 'w');
  let written = writeSync(out, head);
  let rows = 0;
  while (written < size) {
    let piece = '';
    while (piece.length < 2 ** 20) piece += row(rows++);
    written += writeSync(out, piece);
  }
  writeSync(out, foot);
  closeSync(out);
  return rows;
}

/** The most private memory that a command has had, in bytes, and its end. */
async function peakOf(args) {
  const child = spawn(binary, args, { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (some) => { stderr += some; });
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0));
    } catch { /* it has just ended */ }
  }, 5);
  const [status] = await once(child, 'close');
  clearInterval(watch);
  return { peak, status, stderr };
}

for (const [name, kind] of Object.entries(kinds)) {
  test(`of ${name}`, { timeout: 3_600_000 }, async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'reviews');
    const rows = write(file, kind);
    const map = kind.map ?? join(directory, 'own.toml');
    if (kind.own) writeFileSync(map, kind.own);
    const { peak, status, stderr } = await peakOf(['import', file, '--map', map, '--print']);
    rmSync(file);
    assert.equal(status, 0, stderr);
    const most = 64 * 2 ** 20 + rows * (16 + (kind.more ?? 0));
    assert.ok(peak > 2 ** 20 && peak < most, `${rows} rows took ${peak} bytes, of ${most}`);
  });
}

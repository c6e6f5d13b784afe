// Files of other systems, made up: the same reviews as CSV (Judge.me) and as XML (a Google feed), and a token that brings them.

import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { binary } from './quire.mjs';

const text = 'A warm and well made hat that fits as it should, in the colour of the picture. I wear it every day on my way to work, "rain or shine", & would buy it again.';
const quoted = (value) => `"${value.replaceAll('"', '""')}"`;
const escaped = (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const review = (n) => ({
  id: `r${n}`, product: `moved-${n % 100}`, rating: 1 + n % 5, at: new Date(1.6e12 + n * 100_000).toISOString(),
  author: `Ann ${n % 977}`, title: `Fits ${n % 50}`, text: `${text} ${n}`,
});

const csv = {
  head: 'title,body,rating,review_date,source,curated,reviewer_name,reviewer_email,product_id,product_handle,reply,reply_date,picture_urls,ip_address,location,metaobject_handle\n',
  row: (one, n) => `${quoted(one.title)},${quoted(one.text)},${one.rating},${one.at.slice(0, 19).replace('T', ' ')} UTC,web,ok,${one.author},ann${n}@mail.example,${n % 100},${one.product},,,,10.0.0.1,,${one.id}\n`,
  foot: '',
};

const xml = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<feed><version>2.3</version><publisher><name>Shop</name></publisher><reviews>\n',
  row: (one) => `<review><review_id>${one.id}</review_id><reviewer><name>${one.author}</name></reviewer><review_timestamp>${one.at}</review_timestamp>`
    + `<title>${one.title}</title><content>${escaped(one.text)}</content><review_url type="singleton">https://shop.example/products/${one.product}</review_url>`
    + `<ratings><overall min="1" max="5">${one.rating}</overall></ratings><products><product><product_ids><skus><sku>${one.product}</sku></skus></product_ids>`
    + `<product_name>${one.product}</product_name><product_url>https://shop.example/products/${one.product}</product_url></product></products>`
    + '<is_verified_purchase>true</is_verified_purchase></review>\n',
  foot: '</reviews></feed>\n',
};

async function write(file, { head, row, foot }, rows) {
  const out = createWriteStream(file);
  out.write(head);
  for (let n = 0; n < rows; ++n) if (!out.write(row(review(n), n))) await once(out, 'drain');
  out.end(foot);
  await once(out, 'finish');
}

/** Writes both files into a directory: {csv: [file, ...options], xml: [file, ...options]} of `quire import`. */
export async function foreignFiles(directory, rows) {
  const files = { csv: join(directory, 'judgeme.csv'), xml: join(directory, 'google.xml') };
  await write(files.csv, csv, rows);
  await write(files.xml, xml, rows);
  return { csv: [files.csv, '--map', 'judgeme'], xml: [files.xml, '--map', 'google'] };
}

/** A token of scope import: {tokens, file}, for the server and for the command. */
export async function importToken(directory) {
  const [tokens, file] = ['tokens.txt', 'token.txt'].map((name) => join(directory, name));
  const { stdout } = await run(binary, ['token', 'new', '--tokens', tokens, '--scopes', 'import', '--name', 'bench']);
  writeFileSync(file, stdout.trim().split('\n').at(-1));
  return { tokens, file };
}

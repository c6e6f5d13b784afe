// Takes the picture of the web page for the README; tools/picture runs it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const { QUIRE_BIN: quire, PICTURE: picture } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'quire-picture-'));
const store = `lmdb:${join(folder, 'store')}`;
const address = '/products/product-1?rating=4&rating=5&verified=true&size=L&page=100';

spawnSync(quire, ['generate', '--comments', '100000', '--products', '60', '--facets', '--store', store], { stdio: 'inherit' });
const server = spawn(quire, ['serve', '--demo', '--store', store, '--listen', '127.0.0.1:0', '--access-log', 'none']);
const url = await new Promise((done) => server.stdout.on('data', (line) => done(/http:\S+/.exec(line)[0])));
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1140, height: 1040 }, deviceScaleFactor: 1.5 });
  const answer = await page.goto(url + address);
  if (!answer.ok()) throw new Error(`${address} answered ${answer.status()}`);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true });
}

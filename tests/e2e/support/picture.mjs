// Takes the pictures of the README; tools/picture runs it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const { QUIRE_BIN: quire, PICTURES: pictures } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'quire-picture-'));
const servers = [];

/** A demo over a store that this command fills. Gives what its start says, which ends with the link to the moderation. */
async function serve(name, ...generate) {
  const store = `lmdb:${join(folder, name)}`;
  spawnSync(quire, ['generate', ...generate, '--store', store], { stdio: 'inherit' });
  const server = spawn(quire, ['serve', '--demo', '--store', store, '--listen', '127.0.0.1:0', '--access-log', 'none']);
  servers.push(server);
  let said = '';
  return new Promise((done, fail) => {
    server.once('exit', () => fail(new Error(`quire serve ended: ${said}`)));
    server.stderr.on('data', (part) => {
      said += part;
      if (/the moderation: .*\n/.test(said)) done(said);
    });
  });
}

const moderationOf = (said) => new URL(/the moderation: *(\S+)/.exec(said)[1]);

const browser = await launch();
try {
  const open = (height) => browser.newPage({ viewport: { width: 1140, height }, deviceScaleFactor: 1.5 });
  const shop = moderationOf(await serve('page', '--comments', '100000', '--products', '60', '--facets')).origin;
  const address = '/products/product-1?rating=4&rating=5&verified=true&size=L&page=100';
  const page = await open(1040);
  const answer = await page.goto(shop + address);
  if (!answer.ok()) throw new Error(`${address} answered ${answer.status()}`);
  await page.screenshot({ path: join(pictures, 'page.png') });

  const moderation = await open(900);
  await moderation.goto(moderationOf(await serve('moderation', '--demo')).href);
  await moderation.click('.sign-in button');
  await moderation.waitForSelector('.queued');
  await moderation.screenshot({ path: join(pictures, 'moderation.png') });
} finally {
  await browser.close();
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true });
}

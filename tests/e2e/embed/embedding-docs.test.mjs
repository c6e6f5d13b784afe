// The examples of docs/embedding.md include comments in a page of the shop, in each of its languages.
// Only in ./test --all: other programs.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRows, newStore, root, serve, temporaryDirectory } from '../support/harness.mjs';
import { sampleRows } from '../support/data.mjs';
import { freePort } from '../support/servers/servers.mjs';

const guide = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
const examples = (language) => [...guide.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text);
let server;
// A busy machine may need longer than a shop's page may wait.
const here = (text) => text.replaceAll('http://127.0.0.1:8080', new URL(server.url).origin).replace('timeout(1000)', 'timeout(20_000)').replace('"timeout" => 1', '"timeout" => 20');

before(async () => {
  const store = newStore();
  await importRows(store, sampleRows(7, 60, '42'));
  server = await serve({ store, args: ['--public-url', 'http://shop.example/reviews'] });
});
after(() => server.stop());

const shows = (text, base, what) => {
  assert.match(text, /Page 2 of/, what);
  assert.ok(text.includes(`href="${base}?quire=page%3D3#list"`) || text.includes(`href="${base}#list"`), `${what}: ${text.slice(0, 2000)}`);
};

test('the example in PHP', () => {
  const file = join(temporaryDirectory(), 'page.php');
  writeFileSync(file, `${here(examples('php')[0])}\n$_GET["quire"] = "page=2";\necho comments("42", "/p/42");\n`);
  const { status, stdout, stderr } = spawnSync('php', [file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  shows(stdout, '/p/42', 'PHP');
});

test('the example in Node', async () => {
  const file = join(temporaryDirectory(), 'page.mjs');
  writeFileSync(file, here(examples('js')[0]));
  const { comments } = await import(file);
  shows(await comments('42', '/p/42', 'page=2'), '/p/42', 'Node');
  assert.equal(await comments('42', 'https://elsewhere.example/'), '', 'what is refused is left out');
});

test('the example for nginx', async () => {
  const folder = temporaryDirectory();
  const line = examples('html').find((each) => each.includes('include virtual'));
  mkdirSync(join(folder, 'shop/p'), { recursive: true });
  writeFileSync(join(folder, 'shop/p/42.html'), `<!doctype html><title>Lamp</title>${line}`);
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
server { listen 127.0.0.1:${port}; ${here(examples('nginx')[0]).replace('/srv/shop', join(folder, 'shop'))} } }`);
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    let text;
    for (let i = 0; i < 100 && text === undefined; ++i) {
      text = await fetch(`http://127.0.0.1:${port}/p/42.html?quire=page%3D2`).then((each) => each.text(), () => sleep(50));
    }
    assert.match(text, /<title>Lamp/);
    shows(text, '/p/42.html', 'nginx');
  } finally {
    nginx.kill();
    await new Promise((done) => { nginx.on('exit', done); });
  }
});

// Pages from the page cache, beside nginx and h2o serving the very same bytes.

import { join } from 'node:path';
import { fetchBody, hash } from '../lib/http.mjs';
import { serveFilesByH2o } from '../lib/h2o.mjs';
import { serveFiles } from '../lib/nginx.mjs';
import { need, serverCore, temporaryDirectory } from '../lib/processes.mjs';
import { copyOfGeneratedStore, generatedStore, needBinary, product, serve } from '../lib/quire.mjs';
import { compare, noteDisturbance, sameBytes, takeTurns } from '../lib/turns.mjs';

export const title = 'the page cache';

const size64 = '64MiB';

export async function measure(report, size, progress) {
  need('nginx', 'h2o', 'wrk', 'taskset');
  needBinary();
  const store = await generatedStore(size.comments);
  const accessLog = join(temporaryDirectory(), 'access.log');
  const cached = await serve(store, { core: serverCore, accessLog, cache: size64 });
  const rendered = await serve(await copyOfGeneratedStore(size.comments), { core: serverCore, accessLog: `${accessLog}.rendered` });
  const paths = { json: `/v1/products/${product}/comments`, html: `/products/${product}` };
  const contenders = {};
  const files = {};
  for (const [name, path] of Object.entries(paths)) {
    const body = files[`page.${name}`] = await fetchBody(cached.url + path);
    report.answer({ name, path, bytes: body.length, hash: hash(body) });
    contenders[name] = { url: cached.url + path, body, pid: cached.pid, accessLog };
    contenders[`rendered ${name}`] = { url: rendered.url + path, body: body.subarray(0, body.length - 100), pid: rendered.pid, accessLog: `${accessLog}.rendered` };
  }
  const peers = { nginx: await serveFiles(files, { core: serverCore }), h2o: await serveFilesByH2o(files, { core: serverCore }) };
  for (const [peer, server] of Object.entries(peers)) {
    for (const name of Object.keys(paths)) contenders[`${peer} ${name}`] = await sameBytes(contenders[name].body, server, `/page.${name}`);
  }
  const results = await takeTurns(contenders, size, progress);
  for (const server of [cached, rendered, ...Object.values(peers)]) await server.stop();
  const { cpu } = compare(report, results);
  for (const name of Object.keys(paths)) {
    const what = `server CPU per request, first page in ${name.toUpperCase()}`;
    cpu(`${what}, from the cache`, name, 'nginx, the same bytes', `nginx ${name}`, { at: 'max', of: 'ratio', value: 0.8 });
    cpu(`${what}, from the cache`, name, 'h2o, the same bytes', `h2o ${name}`, { at: 'max', of: 'ratio', value: 1 });
    cpu(`${what}, from the cache`, name, 'rendered each time', `rendered ${name}`);
  }
  noteDisturbance(report, 'Cached pages', results);
  return results;
}

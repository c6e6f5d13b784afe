// nginx serving a folder of static files: one worker, on the terms of the server it is compared with.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from './proc.mjs';
import { Broken, freePort, start, stop, temporaryDirectory } from './processes.mjs';
import { closeConnections, fetchBody } from './http.mjs';

// The access log is buffered as Quire's is. `/cached/` is the same folder with what nginx offers to spare opening files.
const configuration = (directory, port, accessLog) => `
daemon off;
worker_processes 1;
${process.getuid() === 0 ? 'user root;' : ''}
pid ${directory}/pid;
error_log ${directory}/error.log warn;
events { worker_connections 4096; }
http {
  default_type application/json;
  access_log ${accessLog} combined buffer=32k flush=1s;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${directory}/${of};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${directory}/files;
    location /cached/ {
      alias ${directory}/files/;
      open_file_cache max=100 inactive=1h;
      open_file_cache_valid 1h;
    }
  }
}
`;

/** Serves `files`, a table of names and bodies. `pid` is its worker's. */
export async function serveFiles(files, { core } = {}) {
  const directory = folderOf(files);
  const accessLog = join(directory, 'access.log');
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port, accessLog));
  const started = start('nginx', ['-p', directory, '-e', join(directory, 'error.log'), '-c', file], { core });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(`${url}/${Object.keys(files)[0]}`, started);
  return {
    url,
    pid: childrenOf(started.pid)[0],
    accessLog,
    async stop() {
      closeConnections();
      await stop(started);
    },
  };
}

/** A temporary directory with the files in its folder `files`. */
export function folderOf(files) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'files'));
  for (const [name, body] of Object.entries(files)) writeFileSync(join(directory, 'files', name), body);
  return directory;
}

/** Waits until a server that was started answers. */
export async function untilItAnswers(url, started) {
  let ended;
  started.ended.then((end) => { ended = end; }, (error) => { ended = { stderr: error.message }; });
  for (let tries = 0; ; ++tries) {
    try { await fetchBody(url); return; } catch (error) {
      if (ended) throw new Broken(`${url} ended at start\n${ended.stderr}`);
      if (tries === 200) throw new Broken(`${url} does not answer: ${error.message}\n${started.text('stderr')}`);
      await sleep(25);
    }
  }
}

// h2o serving a folder of static files: one thread, on the terms of nginx beside it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeConnections } from './http.mjs';
import { folderOf, untilItAnswers } from './nginx.mjs';
import { freePort, start, stop } from './processes.mjs';

const configuration = (directory, port, accessLog) => `
num-threads: 1
http1-request-timeout: 3600
listen:
  host: 127.0.0.1
  port: ${port}
${process.getuid() === 0 ? 'user: root' : ''}
access-log: ${accessLog}
hosts:
  default:
    paths:
      /:
        file.dir: ${directory}/files
`;

/** Serves `files`, a table of names and bodies. */
export async function serveFilesByH2o(files, { core } = {}) {
  const directory = folderOf(files);
  const accessLog = join(directory, 'access.log');
  const port = await freePort();
  const file = join(directory, 'h2o.yaml');
  writeFileSync(file, configuration(directory, port, accessLog));
  const started = start('h2o', ['-c', file], { core });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(`${url}/${Object.keys(files)[0]}`, started);
  return {
    url,
    pid: started.pid,
    accessLog,
    async stop() {
      closeConnections();
      await stop(started);
    },
  };
}

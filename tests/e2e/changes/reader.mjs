// node reader.mjs URL TOKEN FILE: follows the log of changes of a server, from the mark of the last whole line of the file, and appends each line to it.

import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { Reader } from './follower.mjs';

const [url, token, file] = process.argv.slice(2);
const bytes = readFileSync(file);
truncateSync(file, bytes.lastIndexOf('\n') + 1);
let { mark } = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1));
const reader = new Reader(url, token);
for (;;) {
  for (const line of await reader.lines(`?after=${mark}&wait=5&limit=10`)) {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    ({ mark } = line);
  }
}

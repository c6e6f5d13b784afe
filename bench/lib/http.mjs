// Single requests, as plain as those of wrk: no compression, no cache.

import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { Broken } from './processes.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** The answer of an address, which must be a 200: {headers, body}. */
export function fetchAnswer(url) {
  return new Promise((done, fail) => {
    get(url, { agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode === 200) done({ headers: response.headers, body });
        else fail(new Broken(`${url} answered ${response.statusCode}: ${body.toString().slice(0, 500)}`));
      });
    }).on('error', (error) => fail(new Broken(`${url}: ${error.message}`)));
  });
}

export const fetchBody = async (url) => (await fetchAnswer(url)).body;

export const fetchJson = async (url) => JSON.parse(await fetchBody(url));

/** Enough of a SHA-256 to see whether two answers are the same. */
export const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Closes the kept connections. */
export const closeConnections = () => agent.destroy();

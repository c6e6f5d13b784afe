// The time of one client, which asks one thing after the other.

import http from 'node:http';
import { Broken } from './processes.mjs';

export class OneClient {
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** `beside`: what goes on meanwhile, for messages. */
  constructor(server, beside) {
    this.beside = beside;
    const { hostname: host, port } = new URL(server.url);
    this.place = { host, port, agent: this.#agent };
  }

  /** Milliseconds until the answer, of this status, is whole. */
  timed(status, options, body) {
    const begun = performance.now();
    return new Promise((done, fail) => {
      const request = http.request({ ...this.place, ...options }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === status) done(performance.now() - begun);
          else fail(new Broken(`${options.path} of another client is answered ${response.statusCode} beside ${this.beside}`));
        });
      });
      request.on('error', (error) => fail(new Broken(`${options.path} of another client failed beside ${this.beside}: ${error.message}`)));
      request.end(body);
    });
  }

  end() { this.#agent.destroy(); }
}

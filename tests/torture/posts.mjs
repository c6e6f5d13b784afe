// A server under torture, with clients that post, change and remove comments at once.

import { Client, commentPath, commentsPath } from '../e2e/support/client.mjs';
import { Expected, content } from './judge.mjs';
import { lineOf } from './workspace.mjs';

const clients = 3;
const postsEach = 3;
const unlimited = ['--posts-per-minute-client', '1000000', '--posts-per-minute-product', '1000000'];

export async function posts(workspace, torture, template) {
  const expected = new Expected(template.rows);
  const token = /\S{16,}/.exec((await workspace.mustRun(['token', 'new', '--tokens', workspace.aside('tokens')])).stdout)[0];
  const server = torture.start(['serve', '--store', workspace.store, '--listen', '127.0.0.1:0', '--threads', '1', '--tokens', workspace.aside('tokens'), '--access-log', 'none', ...unlimited]);
  const url = await addressOf(server);
  const told = [];
  if (url) {
    const client = new Client(url, token);
    const olds = [...template.rows.values()].map((line) => JSON.parse(line));
    await Promise.all(Array.from({ length: clients }, (_, number) => work(client, { number, olds: olds.slice(2 * number), expected, told })));
    if (torture.order?.times === 'once' && !torture.order.kills) await recovered(client, expected, told);
    client.close();
    server.child.kill('SIGTERM');
  }
  return { end: await server.ended, expected, told };
}

/** The address of the server; undefined if the server ended before it listened. */
function addressOf(server) {
  return new Promise((done) => {
    server.child.stdout.on('data', () => {
      const match = /listening on (http:\/\/\S+)\s/.exec(server.text('stdout'));
      if (match) done(match[1]);
    });
    server.ended.then(() => done(undefined));
  });
}

async function work(client, { number, olds, expected, told }) {
  for (let post = 0; post < postsEach; ++post) {
    const row = { product: 'shoe', language: 'en', rating: 1 + ((number + post) % 5), title: `client ${number}, post ${post}`, text: 'x'.repeat(1000 * post) };
    const { product, ...body } = row;
    expected.sent.add(content(row));
    const answer = await ask(told, () => client.post(commentsPath(product), body, { 'Idempotency-Key': row.title }), 201);
    if (!answer) continue;
    expected.sent.delete(content(row));
    expected.must.set(answer.json.id, lineOf(answer.json));
  }
  const [changed, removed] = olds;
  const before = expected.must.get(changed.id);
  const after = lineOf({ ...changed, title: 'changed' });
  expected.allow(changed.id, before, after);
  const patched = await ask(told, () => client.patch(commentPath(changed.id), { title: 'changed' }), 200);
  if (patched) settle(expected, changed.id, after);
  const there = expected.must.get(removed.id);
  expected.allow(removed.id, there, undefined);
  if (await ask(told, () => client.delete(commentPath(removed.id)), 204)) settle(expected, removed.id, undefined);
}

function settle(expected, id, line) {
  expected.may.delete(id);
  if (line === undefined) expected.may.set(id, [undefined]);
  else expected.must.set(id, line);
}

/** The answer if it has this status. A proper 503 and a broken connection acknowledge nothing; other answers are reported. */
async function ask(told, request, status) {
  let answer;
  try {
    answer = await request();
  } catch {
    return undefined;
  }
  if (answer.status === status) return answer;
  const problem = answer.headers['content-type']?.startsWith('application/problem+json') ? answer.json : {};
  if (answer.status !== 503 || !problem.detail) told.push(`answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return undefined;
}

/** After a single fault the server must take writes again. The first try may meet the fault; the second one must succeed. */
async function recovered(client, expected, told) {
  for (let attempt = 0; attempt < 2; ++attempt) {
    const row = { product: 'shoe', language: 'en', rating: 5, title: `afterwards ${attempt}`, text: '' };
    const { product, ...body } = row;
    expected.sent.add(content(row));
    const answer = await client.post(commentsPath(product), body).catch((error) => ({ status: error.message, text: '' }));
    if (answer.status === 201) {
      expected.sent.delete(content(row));
      expected.must.set(answer.json.id, lineOf(answer.json));
      return;
    }
    if (attempt === 1) told.push(`after one fault the server takes no post: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
}

// The requests of programs, as the golden table sends them: for each deed its sections.

import { headersOf } from './writers.mjs';

const comment = ({ id }) => `/v1/comments/${id}`;
const productOf = (place) => `/v1/products/${encodeURIComponent(place.product)}`;

const shown = { id: '{id}', product: '{product}', owner: '{owner}', row: '{row}' };
const textOf = (body) => (typeof body === 'string' ? body : JSON.stringify(body));

/** A section: its title, how a request of it is made for a place, and more that grid.mjs knows. A body may be a function of the place. */
function section(method, route, path, body, { say, headers, ...more } = {}) {
  const made = (place) => (typeof body === 'function' ? body(place) : body);
  return { title: `${method} ${route}${body === undefined ? '' : ` ${textOf(made(shown))}`}${say ? ` (${say})` : ''}`,
    send: (place) => ({ method, path: path(place), body: made(place), headers }), ...more };
}

/** A section whose columns are bodies, of which each has a name; the comment is of one state. */
const variants = (method, route, path, bodies, { say, state = 'absent' }) => ({ title: `${method} ${route} (${say})`, columns: Object.keys(bodies), state,
  send: (place, { column }) => ({ method, path: path(place), body: bodies[column] }) });

const other = { headers: { 'If-Match': '"other"' }, say: 'If-Match: another state' };

const commentsOf = ['/v1/products/{product}/comments', (place) => `${productOf(place)}/comments`];
const one = ['/v1/comments/{id}', comment];
const under = (name) => [`/v1/comments/{id}/${name}`, (place) => `${comment(place)}/${name}`];
const at = (path) => [path, () => path];

const link = 'See https://spam.example/x';
const held = { say: 'the rule of links holds it' };
const fields = { 'a field of the shop': { attributes: { size: 'L' } }, 'another attribute': { attributes: { other: 'L' } }, '"helpful"': { attributes: { helpful: 3 } },
  "another host's picture": { media: [{ url: 'https://elsewhere.example/a.jpg' }] }, 'no comment': { rating: 9 } };
const rated = (bodies) => Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, { rating: 5, ...body }]));

export const post = [
  section('POST', ...commentsOf, { rating: 5, text: 'Well.' }),
  section('POST', ...commentsOf, { rating: 5, text: link }, held),
  variants('POST', ...commentsOf, rated({ '{"status":"published"}': { status: 'published' }, '{"status":"rejected",…}': { status: 'rejected', reason: 'spam' }, '{"note":"n"}': { note: 'n' },
    '{"created_at":…}': { created_at: '2024-01-01T00:00:00Z' }, ...fields }), { say: 'with members that not everybody may send' }),
];

export const edit = [
  section('PATCH', ...one, { rating: 4 }),
  section('PATCH', ...one, { text: link }, held),
  variants('PATCH', ...one, fields, { state: 'published', say: 'members that not everybody may send, of a published comment' }),
  section('PATCH', ...one, { rating: 4 }, other),
];

export const remove = [section('DELETE', ...one), section('DELETE', ...one, undefined, other)];

const decisions = (decision) => section('POST', ...at('/v1/moderation/decisions'), ({ id }) => ({ decisions: [{ id, ...decision }] }));

export const decide = [
  section('PATCH', ...one, { status: 'published' }),
  section('PATCH', ...one, { status: 'rejected', reason: 'spam' }),
  section('PATCH', ...one, { status: 'published', rating: 4 }),
  section('PATCH', ...one, { note: 'n' }),
  decisions({ status: 'published' }),
  decisions({ status: 'rejected', reason: 'spam' }),
  decisions({ note: 'n' }),
];

/** The writer publishes the comment, if that is allowed. */
const published = async (stage, place, writer) => {
  const { json } = await stage.ask('POST', '/v1/moderation/decisions', { headers: headersOf(writer, place), body: { decisions: [{ id: place.id, status: 'published' }] } });
  place.undo = json?.undo ?? 'none';
};

export const undo = [section('POST', ...at('/v1/moderation/undo'), ({ undo = '…' }) => ({ undo }), { say: 'after a decision to publish it', prepare: published })];

export const report = [section('POST', ...under('reports'), { reason: 'spam' }), section('POST', ...under('reports'), { reason: 'none' }, { say: 'no reason', columns: ['published', 'absent'] })];

export const vote = [section('PUT', ...under('vote'), { vote: 'helpful' }), section('DELETE', ...under('vote'))];

export const reply = [section('PUT', ...under('reply'), { text: 'Thank you.' }), section('DELETE', ...under('reply')), section('PUT', ...under('reply'), { text: 'Thank you.' }, other)];

export const invite = [{ title: 'POST /v1/invitations', columns: ['{"product":"{product}","customer":"{owner}"}', '{"products":["{product}","other/1"],"customer":"{owner}"}', '{"customer":"{owner}"}'], state: 'absent',
  send: (place, { column }) => ({ method: 'POST', path: '/v1/invitations', body: { invitations: [JSON.parse(column.replaceAll('{product}', place.product).replace('{owner}', place.owner))] } }) }];

const customer = (name, more = {}) => section('POST', ...at(`/v1/customers/${name}`), ({ owner }) => ({ customer: owner, ...more }));

export const customers = [customer('export'), customer('erase'), customer('erase', { keep_ratings: true })];

const told = { columns: ['told', 'untold'], state: 'absent' };
export const factsAreTold = (stage, place, column, headers) => column === 'told' && stage.ask('PUT', productOf(place), { headers, body: { name: 'Lamp' } });
const facts = (method, body) => section(method, '/v1/products/{product}', productOf, body, told);

export const product = [facts('PUT', { name: 'Desk lamp' }), facts('DELETE'), facts('GET')];

/** The comment's product moves to another of the same prefix, or of no writer's. */
export const moved = ['{product}2', 'other/{product}'].map((to) => section('POST', '/v1/products/{product}/move', (place) => `${productOf(place)}/move`, ({ product: from }) => ({ to: to.replace('{product}', from) })));

/** A row of an import, which says otherwise than the comment that is there. */
export const rowText = (place) => `${JSON.stringify(place.row && { ...place.row, text: 'Of an import.' })}\n`;
const rows = (query, say) => ({ title: `POST /v1/import${query} (a row with the comment's id and another text${say})`, alone: true,
  send: (place) => ({ method: 'POST', path: `/v1/import${query}`, body: rowText(place), headers: { 'Content-Type': 'application/jsonl' } }) });

export const changes = [{ ...section('GET', ...at('/v1/changes?after=now')), columns: ['any'], state: 'absent' }];

export const imported = [rows('', ''), rows('?update=true', ', which replaces')];

const ofProductAndStatus = (place, status = place.state) => `product=${encodeURIComponent(place.product)}&status=${status}`;
const ofStatus = { published: 'reported', pending: 'pending', rejected: 'rejected', absent: 'pending' };

export const read = [
  section('GET', ...one),
  section('GET', ...under('page')),
  section('GET', ...commentsOf),
  section('GET', '/v1/moderation/comments?product={product}&status={status}', (place) => `/v1/moderation/comments?${ofProductAndStatus(place, ofStatus[place.state])}`),
  section('GET', '/v1/comments?product={product}&status={status}', (place) => `/v1/comments?${ofProductAndStatus(place, place.state === 'absent' ? 'published' : place.state)}`, undefined, { houses: true }),
  section('GET', ...at('/v1/me/comments')),
  section('GET', '/v1/me/votes?comment={id}', (place) => `/v1/me/votes?comment=${place.id}`),
];

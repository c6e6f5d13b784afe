// The forms and pages of browsers, as the golden table sends them: for each deed its sections.

import { admin, visitors, writers } from './writers.mjs';

const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const fieldsOf = (fields) => ({ body: new URLSearchParams(fields).toString(), headers: type });
const posted = (path, fields, headers = {}) => ({ method: 'POST', path, body: fieldsOf(fields).body, headers: { ...type, ...headers } });

const reviewOf = (place) => `/products/${encodeURIComponent(place.product)}/review`;
const sealedIn = ({ text }) => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
const byTicket = (place, writer) => `${reviewOf(place)}${writer.ticket ? `?ticket=${place.ticket}` : ''}`;

/** The form of a writer, whom a token in a form tells, a ticket in the address, or nothing. */
async function open(stage, place, writer) {
  const token = writer.secret?.(place);
  const asked = token ? posted(reviewOf(place), { token }) : { method: 'GET', path: byTicket(place, writer) };
  place.sealed = sealedIn(await stage.ask(asked.method, asked.path, asked));
}

const withLate = [...visitors, writers.find(({ name }) => name === 'the customer, after edit_days')];
const ofOwn = (title, fields) => ({ title: `POST /products/{product}/review form=…&${title}`, writers: withLate, headless: true, early: open,
  send: (place) => posted(reviewOf(place), { form: place.sealed, ...fields(place) }) });
const typed = { rating: '4', language: 'en' };

export const edit = [
  ofOwn('edit={id}&rating=4', ({ id }) => ({ edit: id, ...typed })),
  ofOwn('edit={id}&rating=4&text=… (the rule of links holds it)', ({ id }) => ({ edit: id, ...typed, text: 'See https://spam.example/x' })),
];

export const remove = [ofOwn('remove={id}', ({ id }) => ({ remove: id }))];

const ofVisitors = { writers: visitors, headless: true };
const send = (fields) => ({ ...ofVisitors, early: open, late: true, send: (place) => posted(reviewOf(place), { form: place.sealed, rating: '5', ...fields }) });

export const form = [
  { title: 'GET /products/{product}/review', columns: ['published', 'absent'], ...ofVisitors, send: (place, { writer }) => ({ method: 'GET', path: byTicket(place, writer) }) },
  { title: 'GET /review', columns: ['absent'], ...ofVisitors, send: (place, { writer }) => ({ method: 'GET', path: byTicket(place, writer).replace(reviewOf(place), '/review') }) },
  { title: 'POST /products/{product}/review token=… (opens the form)', columns: ['published', 'absent'], ...ofVisitors, send: (place, { writer }) => posted(reviewOf(place), { token: writer.secret?.(place) ?? '' }) },
  { title: 'POST /products/{product}/review form=…', ...send({ text: 'Well.' }) },
  { title: 'POST /products/{product}/review form=… (the rule of links holds it)', ...send({ text: 'See https://spam.example/x' }) },
];

export const vote = [{ title: 'POST /comments/{id}/vote token=…&vote=helpful', ...ofVisitors, houses: true, send: (place, { writer }) => posted(`/comments/${place.id}/vote`, { token: writer.secret?.(place) ?? '', vote: 'helpful' }) }];

export const report = [
  { title: 'GET /comments/{id}/report', writers: visitors, headless: true, send: (place) => ({ method: 'GET', path: `/comments/${place.id}/report` }) },
  { title: 'POST /comments/{id}/report reason=spam', ...ofVisitors, send: (place) => posted(`/comments/${place.id}/report`, { reason: 'spam' }) },
  { title: 'POST /comments/{id}/report reason=unlawful (a notice without a statement of good faith)', ...ofVisitors, columns: ['published', 'absent'], send: (place) => posted(`/comments/${place.id}/report`, { reason: 'unlawful' }) },
];

const signIn = (token) => posted('/moderation/session', { token });
const cookieIn = (answer) => answer.headers['set-cookie']?.[0].split(';')[0] ?? '';

/** Signs in; the place gets the cookie, the value of its forms, and the tag of its comment. */
export async function session(stage, place, { secret }) {
  const signed = signIn(secret?.(place) ?? '');
  place.cookie = cookieIn(await stage.ask(signed.method, signed.path, signed));
  place.value = sealedIn(await stage.ask('GET', '/moderation', { headers: { Cookie: place.cookie } }));
  const { headers } = await stage.ask('GET', `/v1/comments/${place.id}`, { headers: admin });
  place.tag = (headers.etag ?? '""').slice(1, -1);
}

const withCookie = (place) => ({ Cookie: place.cookie });
const chosen = (place) => `${place.id} ${place.tag}`;

/** A moderator's form whose session, value or tag is wrong. */
const named = (name) => writers.find((writer) => writer.name === name);
const wrong = [
  { ...named('moderate'), name: 'moderate, a value of another form', after: (place) => { place.value = 'other'; } },
  { ...named('moderate'), name: 'moderate, another tag', after: (place) => { place.tag = 'other'; } },
  { ...named('moderate'), name: 'moderate, signed out before', after: (place, stage) => { const out = posted('/moderation/sign-out', { form: place.value }, withCookie(place)); return stage.ask(out.method, out.path, out); } },
  { ...named('moderate'), name: 'moderate, a forged cookie', after: (place) => { place.cookie += 'A'; } },
];
const early = async (stage, place, writer) => { await session(stage, place, writer); await writer.after?.(place, stage); };
const ofModerators = { headless: true, early };

const decided = (title, fields) => ({ title: `POST /moderation/decisions ${title}`, ...ofModerators, writers: [...writers, ...wrong],
  send: (place) => posted('/moderation/decisions', { form: place.value, ...fields(place) }, withCookie(place)) });

export const decide = [
  decided('publish={id} {tag}', (place) => ({ publish: chosen(place) })),
  decided('keep-note={id} {tag}&note-{id}=n', (place) => ({ 'keep-note': chosen(place), [`note-${place.id}`]: 'n' })),
  decided('reject={id} {tag}&reason-{id}=spam', (place) => ({ reject: chosen(place), [`reason-${place.id}`]: 'spam' })),
];

/** A decision to take back: the page's address names it. */
const undone = async (stage, place, writer) => {
  await session(stage, place, writer);
  const made = posted('/moderation/decisions', { form: place.value, publish: chosen(place) }, withCookie(place));
  const { headers } = await stage.ask(made.method, made.path, made);
  place.undo = /undo=(\w+)/.exec(headers.location ?? '')?.[1] ?? 'none';
};

export const undo = [{ title: 'POST /moderation/undo undo=…, after POST /moderation/decisions publish={id} {tag}', headless: true, prepare: undone,
  send: (place) => posted('/moderation/undo', { form: place.value, undo: place.undo }, withCookie(place)) }];

export const reply = [{ title: 'POST /moderation/reply reply={id} {tag}&text=…', ...ofModerators, writers: [...writers, ...wrong],
  send: (place) => posted('/moderation/reply', { form: place.value, reply: chosen(place), text: 'Thank you.' }, withCookie(place)) }];

const statusQuery = { published: 'status=reported', pending: '', rejected: 'status=rejected', absent: '' };

export const signs = [
  { title: 'POST /moderation/session token=…', columns: ['absent'], headless: true, send: (place, { writer }) => signIn(writer.secret?.(place) ?? '') },
  { title: 'POST /moderation/session secret=… (of no demo)', columns: ['absent'], headless: true, writers: [named('none')], send: () => posted('/moderation/session', { secret: 'x' }) },
  { title: 'GET /moderation?product={product}&status={status}, after that', ...ofModerators, writers: [...writers, ...wrong],
    send: (place) => ({ method: 'GET', path: `/moderation?product=${encodeURIComponent(place.product)}&${statusQuery[place.state]}`, headers: withCookie(place) }) },
  { title: 'POST /moderation/sign-out', columns: ['absent'], ...ofModerators, writers: [named('none'), named('moderate'), ...wrong], send: (place) => posted('/moderation/sign-out', { form: place.value }, withCookie(place)) },
];

export const read = [
  { title: 'GET /comments/{id}', send: (place) => ({ method: 'GET', path: `/comments/${place.id}` }) },
  { title: 'GET /comments.atom?token=…', columns: ['absent'], headless: true, houses: true, send: (place, { writer }) => ({ method: 'GET', path: `/comments.atom${writer.secret ? `?token=${writer.secret(place)}` : ''}` }) },
  { title: 'GET /comments/{id}/page', send: (place) => ({ method: 'GET', path: `/comments/${place.id}/page` }), writers: visitors },
  { title: 'GET /feeds/google-reviews.xml', send: () => ({ method: 'GET', path: '/feeds/google-reviews.xml' }), writers: visitors },
];

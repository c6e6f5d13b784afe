// What a cell of the golden table says of an answer and of the audit log: ids, times and customers by what they are to the cell.

import { readFileSync } from 'node:fs';
import { here } from '../support/harness.mjs';

const texts = new Map([...readFileSync(`${here}/../../web/texts/en.toml`, 'utf8').matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, text]) => [text.replaceAll('\\"', '"'), name]));
const plain = (html) => html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim();
const privateMembers = ['status', 'reason', 'note', 'held_by', 'customer'];

const problemText = ({ type, status, errors }) => `${status} ${type.split('/').at(-1)}${errors ? `(${Object.keys(errors).join(' ')})` : ''}`;

/** Names of members in the value that the public does not see. */
function privateIn(value, found = new Set()) {
  if (Array.isArray(value)) value.forEach((each) => privateIn(each, found));
  else if (value && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (privateMembers.includes(name)) found.add(name);
      privateIn(member, found);
    }
  }
  return [...found];
}

function linesText(answer) {
  const lines = answer.text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const last = lines.at(-1);
  if (last.type) return `${answer.status}: ${problemText(last)}`;
  if (last.mark) return `${answer.status} a mark`;
  return `${answer.status} ${Object.entries(last).filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`).join(' ')}`;
}

const texted = (text) => texts.get(text) ?? text;

/** A web page: what it says of its form, or its heading; and the comments of a queue. */
function pageText(answer) {
  const told = [...answer.text.matchAll(/class="(?:fault|told)(?: done)?"[^>]*>(?:<p>)?([^<]*[^<\s][^<]*)</g)].map(([, text]) => texted(plain(text)));
  const heading = [...answer.text.matchAll(/<h1[^>]*>([^<]*)</g)].map(([, text]) => texted(plain(text)));
  const queued = [...answer.text.matchAll(/name="publish" value/g)].length;
  const said = [told, heading].find((each) => each.length) ?? [];
  return `${answer.status} ${said.join('; ')}${queued ? `, ${queued} comments` : ''}`;
}

function bodyText(answer) {
  const type = answer.headers['content-type'] ?? '';
  if (answer.status >= 300 && answer.status < 400) return `${answer.status} ${answer.headers.location}`;
  if (type.startsWith('application/problem+json')) return problemText(answer.json);
  if (type.startsWith('application/jsonl')) return linesText(answer);
  if (type.startsWith('text/html')) return pageText(answer);
  if (type.startsWith('application/atom+xml')) {
    const entries = answer.text.split('<entry>').length - 1; // besides the newest, those that earlier deeds have changed
    return `${answer.status} ${entries > 20 ? 'over 20' : entries} entries`;
  }
  if (!answer.text) return `${answer.status}`;
  const { json } = answer;
  const problems = json.decisions?.flatMap(({ problem }) => (problem ? [`: ${problemText(problem)}`] : [])) ?? [];
  const counts = ['comments', 'votes', 'reports'].flatMap((name) => (Array.isArray(json[name]) && json[name].length ? [` ${json[name].length} ${name}`] : []));
  const removed = Object.entries(json.removed ?? {}).flatMap(([name, count]) => (count > 0 ? [` ${count} ${name}`] : []));
  const members = privateIn(json).map((name) => ` +${name}`);
  return `${answer.status}${[...problems, ...counts, ...removed, ...members].join('')}`;
}

/** {id}, {product}, {owner} and {stranger} for those of the place. */
const named = (text, place, hashOf) => {
  const names = [[place.id, '{id}'], [encodeURIComponent(place.product), '{product}'], [place.product, '{product}'], [hashOf(place.owner), '{owner}'], [hashOf(place.stranger), '{stranger}']];
  return names.reduce((out, [value, name]) => out.replaceAll(value, name), text).replace(/ticket=[\w-]+/g, 'ticket={ticket}').replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '{new}');
};

export { named };

export const answerText = (answer, place, hashOf) => named(bodyText(answer), place, hashOf);

/** "[edit: rating]": what was done, to what if that is not the comment of the cell, and by whom if that is not `writer`; then what the line tells more. */
export function auditText(line, { place, from, writer }, hashOf) {
  const { at, request, token, client, action, comment, product, before, after, ...more } = line;
  const subject = comment !== undefined && comment !== place.id ? ' {new}' : '';
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => action === 'edit' || ['status', 'reason'].includes(name));
  const values = Object.entries(more).filter(([, value]) => value !== 0).map(([name, value]) => ` ${name}=${value}`);
  const own = writer.customer ? `customer:${hashOf(writer.customer(place))}` : writer.label;
  const who = `${token === own ? '' : ` by ${token}`}${client === from ? '' : ` from ${client}`}`;
  return named(`[${action}${subject}${who}${members.length ? `: ${members.join(' ')}` : ''}${values.join('')}]`, place, hashOf);
}

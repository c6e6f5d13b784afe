// Asks each cell of the golden table, and tells what it says.

import { setTimeout as sleep } from 'node:timers/promises';
import { answerText, auditText } from './said.mjs';
import { houses, Place, Stage } from './stage.mjs';
import { few, headersOf, writers } from './writers.mjs';

const states = ['published', 'pending', 'rejected', 'absent'];
const atOnce = 16;
const least = 3_100; // milliseconds: a form that is sent sooner was filled in by no person

/*
 * A section has a title; `columns`, else the states of the comment; `state`, that of the comment where columns are something else; `writers`, else all; `houses`,
 * whether shops of other kinds are asked, too; `send`, which makes a request; and, where they are needed: `prepare` before the request; `early` before all requests,
 * `late` after all others; `alone`, where the server takes few such requests at once; `headless`, where no header tells the writer.
 */
function cellsOf(deeds, house) {
  const known = ({ secret, ticket, customer }) => houses[house].tokens !== false || (!ticket && (!secret || customer));
  return deeds.flatMap(({ sections }) => sections.filter((section) => section.houses || house === 'customers').flatMap((section) => {
    const all = section.writers ?? writers;
    const rows = house === 'customers' ? all : few.filter((writer) => all.includes(writer) && known(writer));
    return rows.flatMap((writer) => (section.columns ?? states).map((column) => {
      const place = Object.assign(new Place(section.state ?? column, { age: writer.age }), { invited: writer.ticket });
      return { section, writer, column, place, house };
    }));
  }));
}

async function ask(stage, cell) {
  const { section, writer, place, column } = cell;
  cell.from = stage.client();
  await section.prepare?.(stage, place, writer, column);
  const { method, path, headers, body } = section.send(place, { writer, column });
  const answer = await stage.ask(method, path, { headers: { ...(section.headless ? {} : headersOf(writer, place)), ...headers }, body, from: cell.from });
  const counted = await stage.counted(place, cell.from, writer.customer?.(place));
  const state = await stage.stateOf(place);
  const moved = state === place.state ? '' : ` -> ${state}`;
  const hashOf = (customer) => stage.hashOf(customer);
  cell.says = (lines) => [answerText(answer, place, hashOf) + moved, ...(lines.get(answer.headers['x-request-id']) ?? []).map((line) => auditText(line, cell, hashOf)), ...(counted ? [`#${counted}`] : [])].join(' ');
}

async function each(cells, count, work) {
  const waiting = cells.values();
  await Promise.all(Array.from({ length: count }, async () => { for (const cell of waiting) await work(cell); }));
}

/** Asks all cells of a house; each gets a `text`. */
async function askAll(house, deeds) {
  const cells = cellsOf(deeds, house);
  const stage = await Stage.open(house, cells.map(({ place }) => place));
  const some = (wanted, count) => each(cells.filter(({ section }) => wanted(section)), count, (cell) => ask(stage, cell));
  await each(cells.filter(({ section }) => section.early), atOnce, ({ section, place, writer }) => section.early(stage, place, writer));
  const begun = Date.now();
  await Promise.all([some(({ alone, late }) => !alone && !late, atOnce), some(({ alone }) => alone, 1)]);
  await sleep(Math.max(0, begun + least - Date.now()));
  await some(({ late }) => late, atOnce);
  const lines = await stage.close();
  for (const cell of cells) cell.text = cell.says(lines);
  return cells;
}

/** The rows of a section. One of another shop stands where it differs from that of the shop of customers. */
function rowsOf(cells) {
  const rows = new Map();
  for (const { house, writer, text } of cells) {
    const name = house === 'customers' ? writer.name : `(${house}) ${writer.name}`;
    rows.set(name, [...(rows.get(name) ?? []), text]);
  }
  return [...rows].filter(([name, texts]) => !name.startsWith('(') || texts.join() !== rows.get(name.replace(/^\(.*?\) /, '')).join()).map(([name, texts]) => [name, ...texts]);
}

/** Each deed with the rows of its sections. */
export async function asked(deeds) {
  const cells = (await Promise.all(Object.keys(houses).map((house) => askAll(house, deeds)))).flat();
  return { cells: cells.length, deeds: deeds.map((deed) => ({ ...deed, sections: deed.sections.map((section) => ({ title: section.title, columns: section.columns ?? states, rows: rowsOf(cells.filter((cell) => cell.section === section)) })) })) };
}

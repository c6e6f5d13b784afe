// tools/scale: prints the tables of docs/scale.md, for the inputs there or for others.

import { inputs, valuesOf } from './inputs.mjs';
import { tables } from './tables.mjs';

const help = `tools/scale [NAME=VALUE…]

Prints what Quire takes at the size of docs/scale.md, for each way to deploy it: bytes, units, dollars, memory, days to build;
and the inputs, each with its origin. NAME=VALUE replaces an input:

  tools/scale comments=5e6 products=1e6 pages=100
  tools/scale readPrice=0.1415 writePrice=0.705 tablePrice=0.283
`;

function usage(message) {
  process.stderr.write(`${message}\n\n${help}`);
  process.exit(2);
}

function replacement(text) {
  const [name, value] = text.split('=');
  if (!(name in inputs)) usage(`There is no input called ${name}.`);
  const number = Number(value);
  if (!value || !Number.isFinite(number) || number < 0) usage(`${name} takes a number from 0, not "${value ?? ''}".`);
  return [name, number];
}

const words = process.argv.slice(2);
const output = words.includes('--help') ? help : `${tables(valuesOf(Object.fromEntries(words.map(replacement)))).join('\n\n')}\n`;
process.stdout.write(output);

// tools/scale: prints the tables of docs/scale.md, for the default inputs or for others.

import { parseArgs } from 'node:util';
import { inputs, valuesOf } from './inputs.mjs';
import { tables } from './tables.mjs';

const help = `tools/scale [--inputs] [NAME=VALUE…]

Prints what Quire takes at the size of docs/scale.md, for each way to deploy it: bytes, units, dollars, memory, days to build.
NAME=VALUE replaces an input:

  tools/scale comments=5e6 products=1e6 pages=100
  tools/scale readPrice=0.1415 writePrice=0.705 tablePrice=0.283

  --inputs   prints the inputs, too, each with its origin
`;

function usage(message) {
  process.stderr.write(`${message}\n\n${help}`);
  process.exit(2);
}

function replacements(texts) {
  return Object.fromEntries(texts.map((text) => {
    const [name, value] = text.split('=');
    if (!(name in inputs)) usage(`There is no input called ${name}.`);
    const number = Number(value);
    if (!value || !Number.isFinite(number) || number < 0) usage(`${name} takes a number from 0, not "${value ?? ''}".`);
    return [name, number];
  }));
}

let parsed;
try {
  parsed = parseArgs({ options: { inputs: { type: 'boolean' }, help: { type: 'boolean' } }, allowPositionals: true });
} catch (error) {
  usage(error.message);
}
const { values: options, positionals } = parsed;
if (options.help) {
  process.stdout.write(help);
} else {
  const { inputs: origins, ...results } = tables(valuesOf(replacements(positionals)));
  process.stdout.write(`${[...Object.values(results), ...(options.inputs ? [origins] : [])].join('\n\n')}\n`);
}

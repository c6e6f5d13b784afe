// `quire serve --demo`, as a newcomer starts it.

import { serve } from '../support/harness.mjs';

/** A demo whose store no option names. */
export const startDemo = (store, args = []) => serve({ bare: false, store, unnamed: true, args: ['--demo', ...args] });

/** The paths of the links that its start prints, by name: product, form, moderation. */
export async function linksOf(demo) {
  await demo.says(/^ {2}.*\n/m); // all links come at once
  return Object.fromEntries([...demo.output.matchAll(/^ {2}(?:a|the) (\w+): +(http:\S+)$/gm)].map(([, name, url]) => [name, url.slice(demo.url.length)]));
}

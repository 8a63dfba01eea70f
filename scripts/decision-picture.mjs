// Writes docs/decision.json, a decision of the built service, and docs/decision.svg, which shows it. With --check,
// fails when a file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { makeDecision } from './support/decision.mjs';
import { pictureOf } from './support/decision-picture.mjs';

const folder = fileURLToPath(new URL('../docs', import.meta.url));

const decision = await makeDecision();
const options = { parser: 'json', printWidth: 110 };
const files = {
  'decision.json': await format(JSON.stringify(decision), options),
  'decision.svg': pictureOf(decision),
};
const outdated = [];
for (const [name, text] of Object.entries(files)) {
  const path = join(folder, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) outdated.push(`docs/${name}`);
}
if (outdated.length > 0)
  console.error(`Out of date: ${outdated.join(', ')}: run \`npm run docs:picture\` and commit`);
process.exit(outdated.length === 0 ? 0 : 1);

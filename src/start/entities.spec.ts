import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from './entities.js';

const ROOT = join(__dirname, '..');

const SOURCES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The room of each table is the room of its entity. */
const OWNERS = getMetadataArgsStorage()
  .tables.filter(({ target }) => ENTITIES.some((entity) => entity === target))
  .map(({ name, target }) => {
    const declaration = `export class ${(target as { name: string }).name} `;
    const entity = SOURCES.find((file) => file.endsWith('.entity.ts') && read(file).includes(declaration));
    return [name ?? '', relative('.', dirname(entity ?? '')).split('/')[0] ?? ''] as const;
  });

it('knows the room of every table', () => {
  expect(OWNERS).toHaveLength(ENTITIES.length);
  expect(OWNERS.every(([table, room]) => table !== '' && room !== '' && room !== '.')).toBe(true);
});

it.each(OWNERS)('only the owner of the table %s, the room %s, spells it in SQL', (table, room) => {
  const spelled = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:ONLY\\s+)?"?${table}\\b`, 'i');
  const strangers = SOURCES.filter((file) => !file.startsWith(`${room}/`)).filter((file) =>
    // Comments may name any table.
    spelled.test(read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  expect(strangers).toEqual([]);
});

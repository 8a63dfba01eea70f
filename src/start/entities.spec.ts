import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from './entities.js';

const ROOT = join(__dirname, '..');
const MIGRATIONS = join(ROOT, '../migrations');

const SOURCES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Rooms of the tables that have no entity. */
const OWNERS_IN_SQL = {
  account_keys: 'accounts',
  assignments: 'assignments',
  assignment_days: 'assignments',
  assignment_traces: 'assignments',
  console_links: 'auth',
  console_sessions: 'auth',
  idempotency_keys: 'idempotency',
  processes: 'health',
  record_changes: 'records',
  record_count_changes: 'records',
  record_counters: 'records',
  record_counts: 'records',
  record_index_keys: 'records',
  record_indexes: 'records',
  records: 'records',
  request_counts: 'throttles',
  rotations: 'dispatch',
};

/** The room of each other table is the room of its entity. */
const OWNERS_OF_ENTITIES = getMetadataArgsStorage()
  .tables.filter(({ target }) => ENTITIES.some((entity) => entity === target))
  .map(({ name, target }) => {
    const declaration = `export class ${(target as { name: string }).name} `;
    const entity = SOURCES.find((file) => file.endsWith('.entity.ts') && read(file).includes(declaration));
    return [name ?? '', relative('.', dirname(entity ?? '')).split('/')[0] ?? ''] as const;
  });

const OWNERS = [...OWNERS_OF_ENTITIES, ...Object.entries(OWNERS_IN_SQL)];

/** The tables that the migrations create. */
const CREATED = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...readFileSync(join(MIGRATIONS, file), 'utf8').matchAll(
      /\bCREATE (?:\w+ )?TABLE (?:IF NOT EXISTS )?(\w+) \(/g,
    ),
  ])
  .map(([, table]) => table);

it('knows the room of every table', () => {
  expect(OWNERS_OF_ENTITIES).toHaveLength(ENTITIES.length);
  expect(OWNERS.every(([table, room]) => table !== '' && room !== '' && room !== '.')).toBe(true);
  expect(OWNERS.map(([table]) => table).sort()).toEqual([...new Set(CREATED)].sort());
});

it.each(OWNERS)('only the owner of the table %s, the room %s, spells it in SQL', (table, room) => {
  const spelled = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+(?:ONLY\\s+)?"?${table}\\b`, 'i');
  const strangers = SOURCES.filter((file) => !file.startsWith(`${room}/`)).filter((file) =>
    // Comments may name any table.
    spelled.test(read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  expect(strangers).toEqual([]);
});

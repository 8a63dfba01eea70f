// Plants every corruption in a database, and tells which of them the checker does not see.
import { check } from './check.mjs';
import { CORRUPTIONS } from './corruptions.mjs';

/**
 * @param history a Recorder of a sound database, whose clients have stopped
 * @param client a connection to a copy of that database, as its owner
 * @param routers the ids of the routers
 * @yields { name, seen, violations }
 */
export async function* plantCorruptions(history, client, routers) {
  const examples = { ...examplesOf(history), turns: routers.turns };
  for (const { name, check: expected, sql } of CORRUPTIONS) {
    await client.query('BEGIN');
    for (const statement of sql.split(';')) await plant(client, name, filled(statement, examples));
    const violations = await check(history, client);
    await client.query('ROLLBACK');
    yield { name, seen: violations.some((each) => each.check === expected), violations };
  }
}

async function plant(client, name, sql) {
  const { rowCount } = await client.query(sql);
  if (rowCount === 0) throw new Error(`The corruption "${name}" has changed nothing`);
}

const filled = (sql, examples) => sql.replace(/\$(\w+)/g, (_, name) => examples[name]);

/** Adds creations that were never sent, one refused and one of unknown outcome, and finds examples. */
function examplesOf({ requests, records }) {
  const [refused, unknown] = ['refused', 'unknown'].map((outcome) => {
    const created = { kind: 'create', token: `planted-${outcome}`, outcome, answers: [], start: 0, end: 0 };
    records.push({ created, events: [], gone: true });
    return created.token;
  });
  const isCreated = ({ created: { outcome } }) => outcome === 'acknowledged';
  const untouched = records.find((record) => isCreated(record) && record.events.length === 0);
  const last = (kind) =>
    requests.findLast((each) => each.kind === kind && each.outcome === 'acknowledged' && !each.record.gone) ??
    requests.findLast((each) => each.kind === kind && each.outcome === 'acknowledged');
  const [patched, deleted] = ['patch', 'delete'].map((kind) => last(kind)?.record);
  const found = { created: untouched, patched, deleted };
  for (const [name, record] of Object.entries(found))
    if (record === undefined) throw new Error(`The clients have left no record that is ${name}`);
  return {
    ...Object.fromEntries(Object.entries(found).map(([name, { id }]) => [name, id])),
    refused,
    unknown,
  };
}

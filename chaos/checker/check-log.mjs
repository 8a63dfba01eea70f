// Compares the assignment log with what clients have asked for, and the owners of records with the log.

/** A run that chose the present owner changes nothing. */
const CHANGES_NOTHING = 'already_owner';

/** @param report called with { check, text, record? } for each violation */
export function checkLog({ records }, { log, records: rows }, report) {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const entries = grouped(log, ({ object_id: id }) => id);
  const known = new Set(records.map(({ id }) => id));
  for (const record of records) {
    const own = entries.get(record.id) ?? [];
    const say = (check, text) => report({ check, text: `record ${record.id}: ${text}`, record });
    checkAnswers(record, own, say);
    checkOwner(stored.get(record.id), own, say);
  }
  for (const { id, object_id: object } of log)
    if (!known.has(object))
      report({ check: 'log-unexplained', text: `entry ${id}: nobody dispatched ${object}` });
}

function grouped(list, keyOf) {
  const groups = new Map();
  for (const each of list) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

function checkAnswers({ events }, entries, say) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const dispatches = events.filter(({ kind }) => kind === 'dispatch');
  const count = (outcome) => dispatches.filter((each) => each.outcome === outcome).length;
  for (const { outcome, body } of dispatches) {
    if (outcome !== 'acknowledged') continue;
    const entry = byId.get(body.assignment_id);
    if (entry === undefined)
      say('log-lost', `the assignment ${body.assignment_id} was answered and is not there`);
    else checkAnswer(body, entry, say);
  }
  if (entries.length > count('acknowledged') + count('unknown'))
    say(
      'log-doubled',
      `${entries.length} entries for ${count('acknowledged')} acknowledged and ${count('unknown')} unknown dispatches`,
    );
}

function checkAnswer(body, { id, user, reason, created_at: at }, say) {
  if (body.user !== user || body.reason !== reason)
    say('log-value', `entry ${id} has ${user} (${reason}); answered were ${body.user} (${body.reason})`);
  const answered = Date.parse(body.owner_assigned_at);
  if (reason !== CHANGES_NOTHING && Math.floor(at.getTime() / 1_000) !== answered / 1_000)
    say('log-value', `entry ${id} is of ${at.toISOString()}; answered was ${body.owner_assigned_at}`);
}

/** Each entry starts from the owner whom the one before has made; the last one is the owner. */
function checkOwner(row, entries, say) {
  let owner = null;
  let since = null;
  for (const { id, user, previous_user: previous, reason, created_at: at } of entries) {
    if (previous !== owner) say('chain', `entry ${id} replaces ${previous}; the owner was ${owner}`);
    if (user === null || reason === CHANGES_NOTHING) continue;
    owner = user;
    since = at.toISOString();
  }
  if (row === undefined) {
    if (entries.length > 0) say('log-unexplained', 'it has log entries and is not there');
    return;
  }
  const { contact_owner: field = null, contact_owner_assigned_date: assigned = null } = row.fields;
  if (field !== owner) say('owner', `its owner is ${field}; the log has ${owner}`);
  if (assigned !== since) say('assigned-date', `its assigned date is ${assigned}; the log has ${since}`);
}

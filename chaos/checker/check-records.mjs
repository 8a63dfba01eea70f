// Compares the stored records with what their clients have asked for.

/**
 * @param requests, records as a Recorder keeps them
 * @param state as `readState` returns it
 * @param report called with { check, text, record? } for each violation
 */
export function checkRecords({ requests, records }, state, report) {
  const rows = new Map(state.records.map((row) => [row.id, row]));
  for (const record of records) checkRecord(record, rows.get(record.id), report);
  checkStrangers(records, state.records, report);
  for (const row of state.records) checkRow(row, report);
  for (const request of requests) checkRefusal(request, report);
}

function checkRecord(record, row, report) {
  const { created } = record;
  const say = (check, text) => report({ check, text: `record ${record.id}: ${text}`, record });
  const expected = replay(record, say);
  if (row === undefined) {
    if (created.outcome === 'acknowledged') say('lost', 'it was acknowledged and is not there');
    return;
  }
  const { first_name: name } = row.fields;
  if (!expected.names.has(name)) say('value', `its name is ${name}, not ${[...expected.names].join(' or ')}`);
  if (row.archived && expected.archived === 'no') say('archived', 'it is archived and nobody has deleted it');
  if (!row.archived && expected.archived === 'yes') say('undeleted', 'its deletion was acknowledged');
}

/** @returns the names that it may have after all events, and whether it is archived: yes, no or maybe */
function replay({ created, events, id }, say) {
  let names = new Set([created.token]);
  let archived = 'no';
  if (created.body !== undefined && (created.body.id !== id || !shows(created.body, names)))
    say('answer', 'its creation was answered with other values');
  for (const { kind, token, outcome, body } of events) {
    if (outcome === 'refused') continue;
    const isKnown = outcome === 'acknowledged';
    if (kind === 'patch') names = isKnown ? new Set([token]) : names.add(token);
    if (kind === 'delete') archived = isKnown ? 'yes' : 'maybe';
    if (isKnown && kind !== 'dispatch' && !shows(body, names))
      say('answer', `a ${kind} was answered with the name ${body?.first_name}`);
  }
  return { names, archived };
}

const shows = (body, names) => names.has(body?.first_name) && body.first_name === body.last_name;

/** Every row is explained by an acknowledged creation, or by an unknown one that explains no other. */
function checkStrangers(records, rows, report) {
  const known = new Set(records.map(({ id }) => id));
  const byToken = new Map(records.map((record) => [record.created.token, record]));
  const explained = new Set();
  for (const { id, fields } of rows) {
    if (known.has(id)) continue;
    const record = byToken.get(fields.first_name);
    const outcome = record?.created.outcome;
    const say = (check, text) => report({ check, text: `row ${id} (${fields.first_name}): ${text}`, record });
    if (outcome === 'refused') say('refused', 'its creation was refused');
    else if (outcome === 'acknowledged' || explained.has(record)) say('doubled', 'it was created twice');
    else if (outcome !== 'unknown') say('unexplained', 'nobody has asked for it');
    if (outcome === 'unknown') explained.add(record);
  }
}

function checkRow({ id, fields }, report) {
  if (fields.first_name !== fields.last_name)
    report({
      check: 'half',
      text: `row ${id}: ${fields.first_name} and ${fields.last_name} were written together`,
    });
}

/** Clients ask for nothing that the service should refuse, but for asking too much. */
function checkRefusal({ kind, answers, record }, report) {
  const { status, body } = answers.at(-1) ?? {};
  if (status >= 400 && status < 500 && status !== 429)
    report({ check: 'refusal', text: `a ${kind} was refused: ${status} ${body?.message}`, record });
}

// Tells the history of a record, or of a request.

/** Events of a record that are told, the last ones, and characters of an answer. */
const MOST_EVENTS = 8;
const MOST_CHARACTERS = 200;

/** @param failure as Findings keeps them @returns lines */
export function historyOf({ record, request }) {
  if (record !== undefined)
    return [record.created, ...record.events].map((each) => line(each, record.created.start));
  return request === undefined ? [] : [line(request, request.start)];
}

function line({ kind, client, token, router, start, end, outcome, answers, body }, from) {
  const time = (instant) => (instant === undefined ? '…' : `${((instant - from) / 1_000).toFixed(3)} s`);
  const what = [kind, token, router].filter((each) => each !== undefined).join(' ');
  const who = client === undefined ? '' : `client ${client}, `;
  const last = answers?.at(-1);
  const answer = JSON.stringify(body ?? last?.body ?? last?.error ?? '').slice(0, MOST_CHARACTERS);
  const attempts = (answers ?? []).map(({ status, error }) => status ?? error).join(', ');
  return `${who}${time(start)} to ${time(end)}: ${what}: ${outcome ?? 'no answer'} (${attempts}) ${answer}`;
}

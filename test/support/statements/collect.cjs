// Notes which statements the service sends, and on whose behalf, for test/runner/statements.cjs. A statement of the
// service goes through a session of its own name; those of tests do not.
const { AsyncLocalStorage } = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const { Server } = require('node:http');
const { join } = require('node:path');

/** What runs: the request itself, or the label of other work. */
const behalf = new AsyncLocalStorage();

/** The texts of each kind of work that were seen. */
const seen = { request: new Set(), background: new Set(), command: new Set(), other: new Set() };
let lines = '';

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

const labelOf = (work) =>
  work.method === undefined ? work.label : `${work.method} ${work.url.split('?')[0].replace(ID, '{id}')}`;

function note(query) {
  const text = typeof query === 'string' ? query : query?.text;
  const work = behalf.getStore();
  const kind = work === undefined ? 'other' : (work.kind ?? 'request');
  if (typeof text !== 'string' || kind === 'migration' || seen[kind].has(text)) return;
  // The text for plain PostgreSQL has what a cluster gets, too.
  if (query.name?.endsWith(' cluster')) return;
  seen[kind].add(text);
  lines += `${JSON.stringify({ name: query.name, text, kind, by: work && labelOf(work) })}\n`;
}

/** Runs work, whose statements are then known as its own. */
const during = (kind, label, work) => behalf.run({ kind, label }, work);

function around(prototype, name, wrapped) {
  const inner = prototype[name];
  prototype[name] = function (...values) {
    return wrapped.call(this, () => inner.apply(this, values), ...values);
  };
}

/** Begins, once for a worker. */
function collect() {
  around(require('pg').Client.prototype, 'query', function (send, query) {
    if (this.connectionParameters.application_name === 'fairlead') note(query);
    return send();
  });
  around(Server.prototype, 'emit', function (emit, event, request) {
    return event === 'request' ? behalf.run(request, emit) : emit();
  });
  const { Background } = require('../../../src/database/background.ts');
  around(Background.prototype, 'run', (run, { work }) => during('background', work.name, run));
  const { DataSource } = require('typeorm');
  around(DataSource.prototype, 'runMigrations', (run) => during('migration', '', run));
}

/** Writes what is new into the folder of the run. */
function flush(folder) {
  if (lines !== '') appendFileSync(join(folder, `statements-${process.pid}.ndjson`), lines);
  lines = '';
}

/** Units send nothing. What knows the work of each promise costs them a twentieth. */
const rest = () => behalf.disable();

module.exports = { collect, during, flush, rest };

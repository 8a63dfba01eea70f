// Sessions of the service are ended, cut, or made read-only.
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN } from '../database/cluster.mjs';
import { sessionsOf, terminate, withClient } from '../database/connect.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { failNext } from '../run/site.mjs';

/** Least milliseconds between two terminated sessions. */
const INTERVAL = 60;

/**
 * The part of the writes that may fail. No read may. Without a key, a write that is in flight on a session that ends
 * may be unknown, and does not count (ADR 14).
 */
const MOST_FAILED_WRITES = 0.05;

const TERMINATES_MIX = { create: 25, patch: 15, delete: 3, turns: 20, shares: 5, batch: 3, get: 29 };

/** An administrator ends sessions, one after the other. */
export const terminates = {
  name: 'terminates',
  promise: 'P1 P4',
  trials: { quick: 50, long: 200 },
  load: [
    { mix: TERMINATES_MIX, clients: 5 },
    { mix: TERMINATES_MIX, clients: 5, usesKeys: true },
  ],
  // A slow machine would else lose a greater part of its requests.
  requests: 6,
  async trial({ site, random }) {
    await site.sql(async (client) => {
      const pids = await sessionsOf(client);
      if (pids.length > 0) await terminate(client, [random.one(pids)]);
    });
    await sleep(INTERVAL);
  },
  judge({ site, findings, began }) {
    const requests = site.recorder.since(began).filter(({ end }) => end !== undefined);
    const isFailed = ({ outcome }) => outcome !== 'acknowledged';
    const failedReads = requests.filter((each) => each.kind === 'get' && isFailed(each));
    for (const request of failedReads) findings.fail('A read has failed', { request });
    const writes = requests.filter(({ kind }) => kind !== 'get');
    const failed = writes.filter(
      (each) => isFailed(each) && (each.key !== undefined || each.outcome === 'refused'),
    );
    if (failed.length > MOST_FAILED_WRITES * writes.length)
      findings.fail(`${failed.length} of ${writes.length} writes have failed`, { request: failed[0] });
  },
};

const KINDS = ['create', 'patch', 'delete', 'dispatch'];

/**
 * Connections are cut after and before each kind of write. The clients repeat what they are told to repeat: every
 * request has one effect, or none where the last answer was 503 with Retry-After.
 */
export const cuts = {
  name: 'cuts',
  promise: 'P1 P2 P3',
  trials: { quick: 24, long: 96 },
  load: {
    // More deletions than usual, so that one comes soon.
    mix: { create: 40, patch: 20, delete: 10, turns: 20, shares: 5, get: 5 },
    isObedient: true,
    clients: 14,
  },
  requests: 5,
  async trial({ site }, trial) {
    const round = Math.floor((trial - 1) / KINDS.length);
    await failNext(site.proxy, KINDS[trial % KINDS.length], round % 2 === 0 ? 'reset after' : 'reset before');
  },
};

/** Milliseconds for which the database is read-only. */
const READ_ONLY = 2_000;

/** The database becomes read-only, and later writable for new connections only, as after a failover. */
export const readOnly = {
  name: 'read-only',
  promise: 'P1 P4 P8',
  trials: { quick: 1, long: 5 },
  // Few statements that are their own transaction, because pools drop connections on which those fail.
  load: { mix: { turns: 60, shares: 20, batch: 10, get: 10 } },
  async trial({ site, findings }) {
    await setReadOnly(site, 'on');
    await site.sql(async (client) => terminate(client, await sessionsOf(client)));
    await sleep(READ_ONLY);
    // Connections that are open stay read-only.
    await setReadOnly(site, 'off');
    const accepted = performance.now();
    const what = 'open connections are read-only, new ones are not';
    await expectServesAgain({ site, findings }, { since: accepted, accepted, what });
  },
  judge: ({ site, findings }) => findings.failOnInternalErrors(site.recorder),
};

/** Over a session that may write. */
const setReadOnly = ({ cluster, database }, value) =>
  withClient(cluster.connection(ADMIN), (client) =>
    client.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`),
  );

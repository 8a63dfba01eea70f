// What the limits add to one answer in microseconds of CPU, without network, database and the rest of a request.
import { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { median } from '../support/load.mjs';

const require = createRequire(import.meta.url);
const { Throttles } = require('../../dist/src/throttles/throttles.js');
const { UsageExchange } = require('../../dist/src/throttles/usage-exchange.js');

const ANSWERS = 200_000;
const CLIENTS = 100;
const ACCOUNTS = 10;
const ROUNDS = 9;

/** Measures by turns. @returns medians of microseconds of CPU for each answer, without and with limits */
export function measureAlone() {
  const now = () => performance.now();
  const exchange = new UsageExchange({
    add: async (reports) => reports.map(({ subjectId, requests, left }) => ({ subjectId, requests, left })),
    now,
    isOutage: () => false,
  });
  const throttles = new Throttles({ perClient: 1e9, perAccount: 1e9 }, exchange, now);
  const clients = Array.from({ length: CLIENTS }, (_, n) => ({
    accountId: `a${n % ACCOUNTS}`,
    clientId: `c${n}`,
  }));
  const rounds = Array.from({ length: ROUNDS }, () => [
    cost(() => undefined),
    cost((answer, n) => throttles.admit(clients[n % CLIENTS], answer)),
  ]);
  return [0, 1].map((index) => median(rounds.map((round) => round[index])));
}

function cost(admit) {
  const request = new IncomingMessage(null);
  const before = process.cpuUsage();
  for (let n = 0; n < ANSWERS; n++) {
    const answer = new ServerResponse(request);
    answer.setHeader('Content-Type', 'application/json');
    admit(answer, n);
    answer.writeHead(200);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ANSWERS;
}

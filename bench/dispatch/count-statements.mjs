// Counts the transactions and statements of a server for each answer.
import { PostgresProxy } from '../../test/support/postgres-proxy.cjs';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { table } from '../support/table.mjs';

/**
 * @param scenarios returns names and targets of a server
 * @returns a table of the counts
 */
export async function countStatements(script, env, { scenarios, clientCounts, seconds }) {
  const proxy = await PostgresProxy.start(env.DATABASE_URL);
  const counts = { transactions: 0, statements: 0 };
  proxy.observe = ({ type, text }) => {
    if (type === 'Q' && text.startsWith('BEGIN')) counts.transactions += 1;
    else if (type === 'E' || (type === 'Q' && !/^(COMMIT|ROLLBACK)/.test(text))) counts.statements += 1;
  };
  const server = await startServer(script, { ...env, DATABASE_URL: proxy.url });
  try {
    const rows = [];
    for (const [name, targets] of scenarios(server)) {
      for (const clients of clientCounts) {
        const before = { ...counts };
        const { rate } = await measure(targets, clients, seconds);
        const per = (key) => ((counts[key] - before[key]) / (rate * seconds)).toFixed(3);
        rows.push([name, clients, per('transactions'), per('statements')]);
      }
    }
    return table(['', 'clients', 'transactions per answer', 'statements'], rows);
  } finally {
    await stopServer(server);
    await proxy.close();
  }
}

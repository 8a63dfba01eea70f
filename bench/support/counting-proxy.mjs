// A proxy in front of PostgreSQL that counts what clients send: transactions (BEGIN) and statements.
import { connect, createServer } from 'node:net';
import { once } from 'node:events';

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK)/;

/**
 * @param url of the database, over TCP without TLS or a Unix socket
 * @returns the url of the proxy, its counts so far, and a function that closes it
 */
export async function openCountingProxy(url) {
  const target = new URL(url);
  const host = decodeURIComponent(target.hostname);
  const port = Number(target.port);
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const counts = { transactions: 0, statements: 0 };
  const sockets = new Set();
  const server = createServer((client) => {
    const database = connect(address);
    const count = counter(counts);
    client.on('data', (chunk) => {
      count(chunk);
      database.write(chunk);
    });
    database.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ]) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  const { username, password, pathname } = target;
  const credentials = `${username}:${password}`;
  const proxied = `postgres://${credentials}@127.0.0.1:${server.address().port}${pathname}`;
  return { url: proxied, counts, close };
}

/** Returns a function that reads the messages of one client. The first message has no type. */
function counter(counts) {
  let left = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    left = Buffer.concat([left, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (left.length < head + 4) return;
      const length = head + left.readInt32BE(head);
      if (left.length < length) return;
      if (isStarted) note(counts, left[0], left.subarray(5, length));
      isStarted = true;
      left = left.subarray(length);
    }
  };
}

function note(counts, type, body) {
  if (type === EXECUTE) counts.statements += 1;
  if (type !== QUERY) return;
  const [, control] = CONTROL.exec(body.subarray(0, 10).toString('latin1')) ?? [];
  if (control === 'BEGIN') counts.transactions += 1;
  if (control === undefined) counts.statements += 1;
}

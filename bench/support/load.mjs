// Sends load over a fixed number of keep-alive connections. Each sends its next request as soon as it has an
// answer. It uses plain sockets because it shares the processor cores with the measured server: a request
// costs a third of the CPU time of autocannon.
import { connect } from 'node:net';

/**
 * @param targets one for each server process: { url, path, method, headers, bodies }; `method` is POST and
 *   `path` is the same for all requests unless given; `path` and `bodies` may be functions of the number of
 *   the request
 * @returns answers per second over all targets, how many were not 2xx, and the milliseconds of each answer
 */
export async function measure(targets, clients, seconds) {
  const end = performance.now() + seconds * 1000;
  const connections = targets.flatMap((target, index) => {
    let next = 0;
    const request = requestOf(target, () => next++);
    const count = share(clients, targets.length, index);
    return Array.from({ length: count }, () => askUntil(end, target.url, request));
  });
  const results = await Promise.all(connections);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const times = results.flatMap((result) => result.times).sort((a, b) => a - b);
  return { rate: sum('good') / seconds, failed: sum('bad'), times };
}

const share = (total, parts, index) => Math.floor(total / parts) + (index < total % parts ? 1 : 0);

const valueOf = (value, number) => (typeof value === 'function' ? value(number) : value);

/** Returns a function that returns the bytes of the next request. */
function requestOf({ url, path, method = 'POST', headers, bodies }, number) {
  const type = bodies === undefined ? {} : { 'content-type': 'application/json' };
  const lines = Object.entries({ host: new URL(url).host, ...type, ...headers });
  const head = lines.map((line) => `${line.join(': ')}\r\n`).join('');
  return () => {
    const n = number();
    const start = `${method} ${valueOf(path, n)} HTTP/1.1\r\n${head}`;
    if (bodies === undefined) return `${start}\r\n`;
    const body = valueOf(bodies, n);
    return `${start}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
}

/** Returns whether an answer has come whole. */
function isWhole(received) {
  const body = received.indexOf('\r\n\r\n') + 4;
  if (body < 4) return false;
  const head = received.slice(0, body);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return received.length >= body + Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return received.endsWith('\r\n0\r\n\r\n');
  if (/^HTTP\/1.1 204/.test(head)) return true;
  throw new Error(`An answer of unknown length: ${received}`);
}

/** Runs one connection and counts its answers until the end. */
function askUntil(end, url, request) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const result = { good: 0, bad: 0, times: [] };
  let received = '';
  let sentAt;
  const ask = () => {
    sentAt = performance.now();
    socket.write(request());
  };
  socket.on('connect', ask);
  socket.on('data', (chunk) => {
    received += chunk.latin1Slice();
    if (!isWhole(received)) return;
    const good = received.startsWith('2', 'HTTP/1.1 '.length);
    received = '';
    const now = performance.now();
    if (!good) result.bad += 1;
    if (now >= end) {
      socket.end();
      return;
    }
    if (good) {
      result.good += 1;
      result.times.push(now - sentAt);
    }
    ask();
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => {
      if (performance.now() < end) reject(new Error('The server closed a connection'));
      else resolve(result);
    });
  });
}

/** @param sorted numbers @param part 0.5 for the median */
export const percentile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

export const median = (values) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

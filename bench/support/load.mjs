// Sends load over a fixed number of keep-alive connections. Each sends its next request as soon as it has an
// answer. It uses plain sockets because it shares the processor cores with the measured server: a request
// costs a third of the CPU time of autocannon.
import { connect } from 'node:net';

/**
 * @param targets one for each server process: { url, path, headers, bodies }
 * @returns answers per second over all targets, and how many were not 2xx
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
  return { rate: sum('good') / seconds, failed: sum('bad') };
}

const share = (total, parts, index) => Math.floor(total / parts) + (index < total % parts ? 1 : 0);

/** Returns a function that returns the bytes of the next request. */
function requestOf({ url, path, headers, bodies }, number) {
  const lines = Object.entries({ host: new URL(url).host, 'content-type': 'application/json', ...headers });
  const head = `POST ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}content-length: `;
  return () => {
    const body = bodies(number());
    return `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
}

/** Runs one connection and counts its answers until the end. Every answer has a Content-Length. */
function askUntil(end, url, request) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const result = { good: 0, bad: 0 };
  let received = '';
  socket.on('connect', () => socket.write(request()));
  socket.on('data', (chunk) => {
    received += chunk.latin1Slice();
    const body = received.indexOf('\r\n\r\n') + 4;
    if (body < 4) return;
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(received) ?? [];
    if (length === undefined) throw new Error(`An answer of unknown length: ${received}`);
    if (received.length < body + Number(length)) return;
    const good = received.startsWith('2', 'HTTP/1.1 '.length);
    received = '';
    if (!good) result.bad += 1;
    if (performance.now() >= end) {
      socket.end();
      return;
    }
    if (good) result.good += 1;
    socket.write(request());
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => {
      if (performance.now() < end) reject(new Error('The server closed a connection'));
      else resolve(result);
    });
  });
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

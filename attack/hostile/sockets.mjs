// Clients that send slowly, do not send, do not read, or send very many requests at once.
import { connect } from 'node:net';
import { LONG_FIELDS } from '../service/configuration.mjs';
import { request } from '../wire/request.mjs';

/**
 * Each case opens sockets: `count` of them, with what each sends at first and, where it is given, ten times a
 * second after that. `units` is the number of requests that each sends. `repeats` opens them at a rate.
 */
export function* sockets({ attacker: { token }, record, fat }, { count }) {
  const of = (group, name, sends, more = {}) => ({ group, name, crowd: { count, sends, units: 1, ...more } });
  const head = 'POST /contacts HTTP/1.1\r\nHost: localhost\r\n';
  yield of('slow', `${count} silent sockets`, Buffer.alloc(0));
  yield of('slow', `${count} slow heads`, Buffer.from('GET / HTTP/1.1\r\nX-A: '), { drip: Buffer.from('a') });
  yield of(
    'slow',
    `${count} slow bodies without a token`,
    Buffer.from(`${head}Content-Length: 100000\r\n\r\n{`),
    {
      drip: Buffer.from(' '),
    },
  );
  const withToken = `${head}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  yield of('slow', `${count} slow bodies`, Buffer.from(`${withToken}Content-Length: 100000\r\n\r\n{`), {
    drip: Buffer.from(' '),
  });
  const held = Buffer.concat([
    Buffer.from(`${withToken}Content-Length: 1048576\r\n\r\n`),
    Buffer.alloc(1_000_000, ' '),
  ]);
  yield of('L9', '50 uploads held at 95 %', held, { count: 50 });
  const anonymous = Buffer.concat([
    Buffer.from(`${head}Content-Length: 1048576\r\n\r\n`),
    Buffer.alloc(1_000_000, ' '),
  ]);
  yield of('L9', '200 uploads held at 95 % without a token', anonymous, { count: 200 });
  const list = request('GET', `/contacts?limit=100&properties=${LONG_FIELDS.join(',')}`, { token });
  // The answer has 12 records.
  yield of('H3', '10 clients that do not read a list of 10 MiB', list, {
    count: 10,
    units: 12,
    reads: false,
  });
  const one = request('GET', `/contacts/${fat[0]}?properties=${LONG_FIELDS.join(',')}`, { token });
  yield of('H3', '20 clients that do not read a record', one, { count: 20, reads: false });
  const repeat = (bytes, times) => Buffer.concat(Array(times).fill(bytes));
  const unauthorized = Buffer.from('GET /contacts HTTP/1.1\r\nHost: a\r\n\r\n');
  yield of('L11', '4,000 pipelined 401s', repeat(unauthorized, 4_000), {
    count: 1,
    units: 4_000,
    repeats: true,
  });
  yield of('L11', '4,000 pipelined 401s that nobody reads', repeat(unauthorized, 4_000), {
    count: 1,
    units: 4_000,
    repeats: true,
    reads: false,
  });
  const missing = Buffer.from('GET /nope HTTP/1.1\r\nHost: a\r\n\r\n');
  yield of('L11', '4,000 pipelined 404s', repeat(missing, 4_000), { count: 1, units: 4_000, repeats: true });
  const plain = request('GET', `/contacts/${record}`, { token });
  yield of('L11', '1,000 pipelined GETs', repeat(plain, 1_000), { count: 1, units: 1_000, repeats: true });
}

/** Opens the sockets of a case. @returns { sent, stop } */
export function openCrowd(port, { count, sends, drip, reads = true }) {
  const open = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('connect', () => socket.write(sends));
    if (reads) socket.resume();
    else socket.pause();
    return socket;
  });
  const timer =
    drip === undefined
      ? undefined
      : setInterval(() => open.forEach((socket) => socket.writable && socket.write(drip)), 100);
  return {
    sent: count * sends.length,
    stop: () => {
      clearInterval(timer);
      for (const socket of open) socket.destroy();
    },
  };
}

import { on, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { receiveBytes } from './read-body.js';

const LIMIT = 16 * 1024;
const WHOLE = Buffer.from(Array.from({ length: LIMIT }, (_, index) => (index * 31 + (index >> 8)) & 0xff));

let loopback: LoopbackServer;
let client: Socket;
let requests: AsyncIterableIterator<[IncomingMessage]>;

beforeEach(async () => {
  const server = createServer();
  // A request that comes before a test asks for it is kept.
  requests = on(server, 'request') as AsyncIterableIterator<[IncomingMessage]>;
  loopback = await LoopbackServer.start(server);
  client = loopback.connect();
});
afterEach(() => loopback.stop());

/** Sends the head of a POST. @returns the request as the server has it */
async function open(header: string): Promise<IncomingMessage> {
  client.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
  const { value } = (await requests.next()) as IteratorYieldResult<[IncomingMessage]>;
  return value[0];
}

/** What is sent for a body whose pieces have that size. */
function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    const piece = body.subarray(start, start + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

const CHUNKED = 'Transfer-Encoding: chunked';
const TOO_LARGE = { status: 413, message: `The body is larger than ${LIMIT} bytes` };
const UNREADABLE = { status: 400, message: 'The request could not be read' };

describe('The bytes of a body are received', () => {
  it.each([1, 2, 63, 1_024, 16_383, LIMIT])(
    'in chunks of %d bytes, up to the limit [contract 1]',
    async (size) => {
      const request = await open(CHUNKED);
      client.write(chunked(WHOLE, size));
      expect((await receiveBytes(request, LIMIT)).equals(WHOLE)).toBe(true);
    },
  );

  it.each([0, 1, LIMIT])('with a declared length of %d bytes [contract 1]', async (length) => {
    const request = await open(`Content-Length: ${length}`);
    client.write(WHOLE.subarray(0, length));
    expect((await receiveBytes(request, LIMIT)).equals(WHOLE.subarray(0, length))).toBe(true);
  });

  it('when they came before anybody read [contract 1]', async () => {
    const request = await open(CHUNKED);
    client.write(chunked(WHOLE.subarray(0, 1_000), 1));
    await once(request, 'readable');
    expect((await receiveBytes(request, LIMIT)).equals(WHOLE.subarray(0, 1_000))).toBe(true);
  });

  it('from a client that ends its side behind them [contract 1]', async () => {
    const request = await open(CHUNKED);
    client.end(chunked(WHOLE, 100));
    expect((await receiveBytes(request, LIMIT)).equals(WHOLE)).toBe(true);
  });
});

describe('A body is refused', () => {
  it.each([1, 1_000, LIMIT, LIMIT + 1])(
    'with one byte more than the limit in chunks of %d bytes, and read no further [contract 1]',
    async (size) => {
      const request = await open(CHUNKED);
      client.write(chunked(Buffer.concat([WHOLE, Buffer.from('x')]), size));
      await expect(receiveBytes(request, LIMIT)).rejects.toMatchObject(TOO_LARGE);
      expect(request.isPaused()).toBe(true);
      expect(request.listenerCount('data')).toBe(0);
    },
  );

  it('when it declares more than the limit, before anything is sent [contract 1]', async () => {
    const request = await open(`Content-Length: ${LIMIT + 1}`);
    await expect(receiveBytes(request, LIMIT)).rejects.toMatchObject(TOO_LARGE);
  });

  it.each([
    ['of a declared length', 'Content-Length: 10', 'half'],
    ['in chunks', CHUNKED, '4\r\nhalf\r\n'],
    ['in the middle of a chunk', CHUNKED, '8\r\nhalf'],
    ['whose chunks are no chunks', CHUNKED, '4\r\nhalf\r\nno size\r\n'],
  ])('when the client cuts the connection in a body %s [contract 1]', async (_, header, sent) => {
    const request = await open(header);
    const received = receiveBytes(request, LIMIT);
    client.write(sent, () => client.end());
    await expect(received).rejects.toMatchObject(UNREADABLE);
  });

  it('when the connection was cut before anybody read [contract 1]', async () => {
    const request = await open('Content-Length: 10');
    const closed = new Promise((resolve) => request.once('close', resolve));
    client.destroy();
    await closed;
    await expect(receiveBytes(request, LIMIT)).rejects.toMatchObject(UNREADABLE);
  });

  it('when it has another length than it declares [contract 1]', async () => {
    // The parser of Node.js lets no such request pass, but code in front of the reader can change the head.
    for (const declared of ['3', '5']) {
      const request = await open('Content-Length: 4');
      request.headers['content-length'] = declared;
      client.write('four');
      await expect(receiveBytes(request, LIMIT)).rejects.toMatchObject(UNREADABLE);
    }
  });

  it('as a fault of the program when something else has read it', async () => {
    const request = await open('Content-Length: 4');
    client.write('four');
    await once(request.resume(), 'end');
    await expect(receiveBytes(request, LIMIT)).rejects.toThrow('Something else has read the body');
    const text = await open('Content-Length: 4');
    text.setEncoding('utf8');
    await expect(receiveBytes(text, LIMIT)).rejects.toThrow('Something else has read the body');
  });
});

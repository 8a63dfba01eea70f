import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { answerEarlyRefusals } from './early-refusals.js';

let loopback: LoopbackServer;
afterEach(() => loopback.stop());

/**
 * Sends bytes to a server, and what is not HTTP when the first of the answer comes, or at once.
 * @returns all that it answers before it closes the connection
 */
async function answersTo(bytes: string, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  answerEarlyRefusals(server);
  loopback = await LoopbackServer.start(server);
  const socket = loopback.connect();
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  if (bytes !== '') {
    socket.write(bytes);
    await once(socket, 'data');
  }
  socket.write(MALFORMED);
  await once(socket, 'close');
  return received;
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const MALFORMED = 'GET / HTTP/9\r\n\r\n';

describe('What Node.js refuses before there is a request', () => {
  it('is answered with the error object [2.9, contract 1]', async () => {
    const answer = await answersTo('', (_request, response) => response.end('ok'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    const id = /^X-Request-Id: (.*)$/m.exec(head)?.[1];
    expect(JSON.parse(body)).toEqual({
      message: 'The request is not valid HTTP',
      error: true,
      code: 'invalid_request',
      request_id: id,
    });
  });

  it('is cut without a word behind an answer that is half written, whichever answer that is [2.9]', async () => {
    let requests = 0;
    const answer = await answersTo(GET + GET, (_request, response) => {
      if (requests++ === 0) response.write('half');
    });
    expect(requests).toBe(2);
    expect(answer).toContain('half');
    expect(answer).not.toContain('HTTP/1.1 400');
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import type { ApiClient } from '../support/api-client.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends bytes over a connection of their own. @returns the first answer, when the connection is closed */
async function send(...parts: readonly string[]): Promise<Answer> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  // A connection that is cut while bytes are on their way may end with an error.
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  await closed;
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: new Headers(
      headers.map((each): [string, string] => [each.split(': ')[0]!, each.split(': ')[1]!]),
    ),
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const authorized = (): string => `Authorization: Bearer ${api.token ?? ''}`;

describe('What is no sound HTTP gets the error object', () => {
  it.each([
    ['no request line', () => 'NONSENSE\r\n\r\n', 400, 'The request is not valid HTTP'],
    ['a bad version', () => lines('GET / HTTP/9.9', 'Host: x'), 400, 'The request is not valid HTTP'],
    [
      'a length beside chunks',
      () => lines('POST /contacts HTTP/1.1', 'Host: x', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
      400,
      'The request is not valid HTTP',
    ],
    [
      'headers that are too large',
      () => lines('GET / HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`),
      431,
      'The path and the headers are larger than 16384 bytes together',
    ],
    [
      'another expectation',
      () => lines('GET /contacts HTTP/1.1', 'Host: x', 'Expect: miracles', 'Connection: close'),
      417,
      'The only expectation that is met is 100-continue',
    ],
  ])('for %s [2.9, contract 1]', async (_, bytes, status, message) => {
    const answer = await send(bytes());
    const code = status === 431 ? 'too_large' : 'invalid_request';
    expectError({ ...answer, body: answer.body }, status, { message, code });
  });

  it.each([
    ['two hosts', ['Host: x', 'Host: y', 'Transfer-Encoding: chunked'], 'The Host header must be sent once'],
    [
      'another transfer encoding',
      ['Host: x', 'Transfer-Encoding: gzip, chunked'],
      'The Transfer-Encoding must be chunked',
    ],
  ])('for %s [2.9, contract 1]', async (_, headers, message) => {
    const answer = await send(lines('GET /contacts HTTP/1.1', ...headers, authorized()), '0\r\n\r\n');
    expectInvalid({ ...answer, body: answer.body }, [undefined, message]);
  });
});

describe('A method', () => {
  it.each(['/oauth2/token', '/dispatch/router', '/dispatch/batch'])(
    'HEAD is not allowed on %s, which has no GET [contract 1]',
    async (path) => {
      const { status, headers } = await rawRequest(api, 'HEAD', path);
      expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    },
  );

  it('HEAD is answered as GET is, without the body [contract 1]', async () => {
    expect(await rawRequest(api, 'HEAD', '/contacts')).toMatchObject({ status: 200, text: '' });
  });
});

describe('An answer to a client', () => {
  it('is not kept by caches [contract 1]', async () => {
    const created = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const answers = [
      created,
      await api.get('/contacts'),
      await api.get(`/contacts/${created.body.id}`),
      await api.get('/contacts/unknown'),
      await api.get('/assignments'),
    ];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
  });
});

describe('A body that nobody reads', () => {
  const post = (length: number): string =>
    lines(
      'POST /contacts HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    );

  it('is answered before it is sent [5.2, contract 1]', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    try {
      socket.write(post(1_000_000));
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).toMatch(/^HTTP\/1.1 401 /);
    } finally {
      socket.destroy();
    }
  });

  it('may follow, and so may the next request, where it is not larger than the limit [contract 1]', async () => {
    const next = lines('GET /contacts HTTP/1.1', 'Host: x', authorized(), 'Connection: close');
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(post(500_000));
    socket.write(Buffer.alloc(500_000));
    socket.write(next);
    await once(socket, 'close');
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('is not received beyond the limit: the connection is cut [contract 1]', async () => {
    const answer = await send(post(1_000_000_000), ...Array.from({ length: 64 }, () => 'x'.repeat(65_536)));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('Connection')).toBe('close');
  });

  it('may end the connection for clients that send more, which the answer says [contract 1]', async () => {
    const body = 'x'.repeat(2 * 1024 * 1024);
    for (let round = 0; round < 20; round += 1) {
      expect((await service.anonymous.post('/contacts', undefined, { raw: body })).status).toBe(401);
      expect((await service.anonymous.get('/health/live')).status).toBe(200);
    }
  });
});

describe('A request behind an answer that ends its connection', () => {
  it.each([
    [
      'of a body that is not read to its end',
      (): string =>
        lines('POST /contacts HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked') + '5\r\nxxxxx\r\n',
      401,
    ],
    ['of a request with two hosts', (): string => lines('GET / HTTP/1.1', 'Host: x', 'Host: y'), 400],
  ])('is not served: %s [contract 1]', async (_, first, status) => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const closed = once(socket, 'close');
    const rest = status === 401 ? '0\r\n\r\n' : '';
    const next = lines(`DELETE /contacts/${body.id} HTTP/1.1`, 'Host: x', authorized());
    if (status === 401) {
      socket.write(first());
      await once(socket, 'data');
      socket.write(rest + next);
    } else {
      socket.write(first() + next);
    }
    await closed;
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect((await api.get(`/contacts/${body.id}`)).body.archived).toBe(false);
  });
});

describe('A compressed body', () => {
  it('grows at most twenty times, or to 64 KiB [contract 1]', async () => {
    const { brotliCompressSync } = await import('node:zlib');
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'br' };
    const send = (value: string) =>
      rawRequest(api, 'POST', '/contacts', {
        headers,
        body: brotliCompressSync(JSON.stringify({ fields: { nickname: value } })),
      });
    expect((await send('x'.repeat(60_000))).status).toBe(400);
    expectError(await send('x'.repeat(70_000)), 413, {
      message:
        'The body is larger than 65536 bytes when it is inflated; a compressed body may grow 20 times, and ' +
        'never beyond 1048576 bytes',
    });
  });
});

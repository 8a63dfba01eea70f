// A service of its own: it has origins.
import type { ApiClient } from '../support/api-client.js';
import { rawRequest, type RawResponse } from '../support/raw-request.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';

const APP = 'https://app.example.com';
const LOCAL = 'http://localhost:5173';

/** The headers of an answer that CORS is about. */
function crossOrigin({ headers }: RawResponse): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

const preflight = (client: ApiClient, path: string, headers: Record<string, string>): Promise<RawResponse> =>
  rawRequest(client, 'OPTIONS', path, {
    headers: { 'Access-Control-Request-Method': 'PATCH', ...headers },
  });

describe('With CORS_ORIGINS', () => {
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    service = await TestService.start({ corsOrigins: `${APP}, ${LOCAL}` });
    api = await service.login('acme');
  });
  afterAll(() => service.stop());

  it.each([APP, LOCAL])(
    'a preflight request of %s is answered without a token [contract 1]',
    async (Origin) => {
      for (const path of ['/contacts', `/contacts/${UNKNOWN_ID}`, '/oauth2/token', '/dispatch/router']) {
        const answer = await preflight(service.anonymous, path, {
          Origin,
          'Access-Control-Request-Headers': 'authorization,content-type',
        });
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
        expect(crossOrigin(answer)).toEqual({
          'access-control-allow-origin': Origin,
          'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
          'access-control-allow-headers':
            'Authorization,Content-Type,X-Request-Id,Idempotency-Key,If-Match,If-None-Match',
          'access-control-max-age': '7200',
          'access-control-expose-headers': expect.any(String),
          vary: 'Origin',
        });
        expect(answer.headers.get('x-request-id')).not.toBeNull();
      }
    },
  );

  it('every answer to a page of these origins says so, errors too [contract 1]', async () => {
    const headers = { Origin: APP };
    const answers = [
      await rawRequest(api, 'GET', '/contacts', { headers }),
      await rawRequest(api, 'GET', `/contacts/${UNKNOWN_ID}`, { headers }),
      await rawRequest(api, 'GET', '/contacts?limit=0', { headers }),
      await rawRequest(service.anonymous, 'GET', '/contacts', { headers }),
      await rawRequest(api, 'POST', '/contacts', {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"fields": {"first_name": "Ada"}}',
      }),
      await rawRequest(api, 'PUT', '/contacts', { headers }),
      await rawRequest(api, 'GET', '/nowhere', { headers }),
      await rawRequest(api, 'GET', '/health/live', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 401, 201, 405, 404, 200]);
    for (const answer of answers) {
      expect(crossOrigin(answer)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers':
          'X-Request-Id,Location,ETag,Idempotency-Replayed,Retry-After,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset',
        vary: 'Origin',
      });
    }
  });

  it.each([
    'https://evil.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'https://app.example.com.evil.example',
    'https://app.example.com/',
    `${APP}, ${LOCAL}`,
    'null',
    '*',
    '',
  ])('the origin %j gets nothing, and OPTIONS is not allowed [contract 1]', async (Origin) => {
    const answer = await preflight(api, '/contacts', { Origin });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(crossOrigin(answer)).toEqual({ vary: 'Origin' });
    expect(crossOrigin(await rawRequest(api, 'GET', '/contacts', { headers: { Origin } }))).toEqual({
      vary: 'Origin',
    });
  });

  it('OPTIONS that asks for no method is no preflight request [contract 1]', async () => {
    const answer = await rawRequest(api, 'OPTIONS', '/contacts', { headers: { Origin: APP } });
    expect(answer.status).toBe(405);
    expect(answer.body).toMatchObject({ error: true, code: 'method_not_allowed' });
    expect((await rawRequest(api, 'OPTIONS', '/contacts')).status).toBe(405);
  });
});

describe('Without CORS_ORIGINS', () => {
  it('no origin gets anything, and nothing varies by it [contract 1]', async () => {
    const service = await TestService.shared();
    try {
      const api = await service.login('acme');
      const answer = await preflight(api, '/contacts', { Origin: APP });
      expect(answer.status).toBe(405);
      expect(crossOrigin(answer)).toEqual({});
      expect(crossOrigin(await rawRequest(api, 'GET', '/contacts', { headers: { Origin: APP } }))).toEqual(
        {},
      );
    } finally {
      await service.stop();
    }
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { assignRequestId } from './middleware.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id given to a request with these headers, which must be on the response too. */
function assigned(headers: IncomingMessage['headers']): string {
  const response = new Map<string, string>();
  const id = assignRequestId(
    { headers } as IncomingMessage,
    { setHeader: (name: string, value: string) => response.set(name, value) } as unknown as ServerResponse,
  );
  expect(response).toEqual(new Map([['X-Request-Id', id]]));
  return id;
}

describe('the id of a request', () => {
  it.each(['a', 'abc-123', 'a'.repeat(128), 'Root=1-67891233-abcdef012345678912345678', 'x:y/z+w@v.u_t'])(
    'is the one that the client sent: %s',
    (id) => expect(assigned({ 'x-request-id': id })).toBe(id),
  );

  it.each(['', ' ', 'a b', 'a\r\nb', 'a'.repeat(129), '<a>', '"a"', 'a,b', '{a}', 'ä', '\u0000'])(
    'is a new one where the client sent %j',
    (id) => expect(assigned({ 'x-request-id': id })).toMatch(UUID_V7),
  );

  it('is a new one every time where the client sent none', () => {
    const ids = [assigned({}), assigned({})];
    for (const id of ids) expect(id).toMatch(UUID_V7);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

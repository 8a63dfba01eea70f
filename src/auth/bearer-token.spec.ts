import { bearerToken } from './jwt.strategy.js';

const MISSING = 'Unauthorized: missing bearer token';
const INVALID = 'Unauthorized: invalid or expired token';

const tokenOf = (...values: string[]): string =>
  bearerToken({ rawHeaders: ['Host', 'x', ...values.flatMap((value) => ['authorization', value])] });

describe('the bearer token of a request', () => {
  it.each([
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer a-b_c~+/==', 'a-b_c~+/=='],
    ['BEARER    abc', 'abc'],
  ])('of %s is %s [contract 2]', (header, token) => expect(tokenOf(header)).toBe(token));

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    'Bearer abc ',
    'Bearer a,b',
    'Bearer a=b',
    'Bearer\tabc',
    'xBearer abc',
    ' Bearer abc',
    'Bearer abc\nBearer abc',
  ])('is missing in %j [5.2, contract 2]', (header) => {
    expect(() => tokenOf(header)).toThrow(MISSING);
  });

  it('is missing without a header [5.2]', () => expect(() => tokenOf()).toThrow(MISSING));

  it('is refused when two headers are sent, also the same one twice [contract 2]', () => {
    const message = 'Unauthorized: the Authorization header must be sent once';
    expect(() => tokenOf('Bearer a', 'Bearer b')).toThrow(message);
    expect(() => tokenOf('Bearer a', 'Bearer a')).toThrow(message);
  });

  it('has at most 4,096 characters, with the scheme [contract 2]', () => {
    expect(tokenOf(`Bearer ${'a'.repeat(4_089)}`)).toHaveLength(4_089);
    expect(() => tokenOf(`Bearer ${'a'.repeat(4_090)}`)).toThrow(INVALID);
  });
});

import { bytesOf, isDatabaseAddress } from './rules.js';

describe('an address of a database', () => {
  it.each([
    'postgres://user:password@host:5432/name',
    'postgresql://host/name',
    'postgres://user@host',
    'postgres://user:p%40ss%2F%23%3F@host/name',
    'postgres://user:p@ss@host/name',
    'postgres://user@[::1]:5432/name',
    'postgres://user@host/name?sslmode=verify-full&application_name=a%20b',
    'postgres://user:password@%2Frun%2Fpostgresql:5433/name',
    'postgres://user:password@/name?host=/run/postgresql&port=5433',
    'postgres://localhost/name?host=/run/postgresql',
    'postgres:///name?host=/run/postgresql',
  ])('is %s', (address) => {
    expect(isDatabaseAddress(address)).toBe(true);
  });

  it.each([
    ['of another database', 'mysql://host/name'],
    ['without a scheme', 'host:5432/name'],
    ['without a host', 'postgres://'],
    ['without a host, with a name', 'postgres:///name'],
    ['of one word, which may be a password', 'postgres://hunter2'],
    ['of one word with a slash', 'postgres://hunter2/'],
    ['of one word with a port', 'postgres://hunter2:5432'],
    ['with an escape that is none', 'postgres://user:%zz@host/name'],
    ['with such an escape in the host', 'postgres://user@%zz/name'],
    ['with such an escape in the name', 'postgres://user@host/%zz'],
    ['with a broken host', 'postgres://user:hunter2@[half/name'],
    ['with a port that is too large', 'postgres://user:hunter2@host:65536/name'],
    ['with a port that is a word', 'postgres://user:hunter2@host:port/name'],
    ['with the port 0', 'postgres://user:hunter2@host:0/name'],
    ['with such a port in the query', 'postgres://user:hunter2@host/name?port=many'],
    ['with a slash in the password', 'postgres://user:12/34@host/name'],
    ['with a question mark in the password', 'postgres://user:12?34@host/name'],
    ['with a number sign in the password', 'postgres://user:12#34@host/name'],
    ['that is not text', 5432],
  ])('is none %s', (_, address) => {
    expect(isDatabaseAddress(address)).toBe(false);
  });
});

describe('a size of the environment', () => {
  it.each([
    ['1', 1],
    ['65536', 65_536],
    ['10b', 10],
    ['64kb', 65_536],
    ['64KB', 65_536],
    ['2Mb', 2_097_152],
    ['9999999999mb', 9_999_999_999 * 1_048_576],
  ])('%s is %d bytes [contract 5]', (size, bytes) => {
    expect(bytesOf(size)).toBe(bytes);
  });

  it.each(['', '0', 'kb', '1gb', '1 kb', '-1', '1.5mb'])('%j is none', (size) => {
    expect(() => bytesOf(size)).toThrow(`${size} is not a size`);
  });
});

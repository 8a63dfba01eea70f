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
    'postgres://user:password@a:5432,b:5433,[::1]/name?target_session_attrs=read-write',
    'postgres://a,b/name?target_session_attrs=any',
    'postgres://user@/name?host=/run/a,b&port=5432,5433',
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
    ['with such a port of a later host', 'postgres://user:hunter2@a:5432,b:many/name'],
    ['with the port 0 of a later host in the query', 'postgres://user@/name?host=a,b&port=1,0'],
    ['with more ports than hosts', 'postgres://user@/name?host=a&port=1,2'],
    ['with an empty host', 'postgres://user:hunter2@a,,b/name'],
    ['with a broken host behind others', 'postgres://user:hunter2@a,[half/name'],
    ['of hosts without a user or a name', 'postgres://a,b'],
    ['with a question mark in the password before several hosts', 'postgres://user:1?3@a,b/name?port=1,2'],
    [
      'with a kind of server that is unknown',
      'postgres://user:hunter2@a,b/name?target_session_attrs=primary',
    ],
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

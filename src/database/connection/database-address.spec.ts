import { readDatabaseAddress } from './hosts.js';

/** The addresses of each host. */
function addressesOf(address: string): string[] {
  const { hosts, at } = readDatabaseAddress(address);
  return hosts.map(at);
}

describe('an address with several hosts', () => {
  it('has a port for each, or none, in their order [contract 13]', () => {
    expect(addressesOf('postgres://user:pw@a:5432,b:5433,c/name?target_session_attrs=read-write')).toEqual([
      'postgres://user:pw@a:5432/name?target_session_attrs=read-write',
      'postgres://user:pw@b:5433/name?target_session_attrs=read-write',
      'postgres://user:pw@c/name?target_session_attrs=read-write',
    ]);
  });

  it.each([
    ['a port for all', 'postgres://u@/n?host=a,b&port=6432', ['a:6432', 'b:6432']],
    ['a port each', 'postgres://u@/n?host=a,b&port=1,2', ['a:1', 'b:2']],
    ['an empty port', 'postgres://u@/n?host=a,b&port=,2', ['a', 'b:2']],
    ['sockets and IPv6', 'postgres://u@/n?host=/run/p:g,::1', ['%2Frun%2Fp%3Ag', '[::1]']],
    ['ports of hosts that do not count', 'postgres://u@x:1,y:2/n?host=a,b', ['a:1', 'b:2']],
    ['ports in place of others', 'postgres://u@a:1,[::1]:2/n?port=3,4', ['a:3', '[::1]:4']],
  ])('may have them in the query, with %s [contract 13]', (_, address, hosts) => {
    const read = readDatabaseAddress(address);
    expect(read.hosts).toEqual(hosts);
    expect(read.at(read.hosts[0]!)).toBe(`postgres://u@${hosts[0]}/n`);
  });

  it('keeps the rest of its query, and commas elsewhere [contract 13]', () => {
    expect(addressesOf('postgres://u:a,b@a,b/n,m?sslmode=disable&port=1&options=-c%20x=1,2')).toEqual([
      'postgres://u:a,b@a:1/n,m?sslmode=disable&options=-c%20x=1,2',
      'postgres://u:a,b@b:1/n,m?sslmode=disable&options=-c%20x=1,2',
    ]);
  });

  it('has a port for each host, or one for all [contract 13]', () => {
    expect(() => readDatabaseAddress('postgres://u@a,b,c/n?port=1,2')).toThrow(
      'one port, or as many as hosts',
    );
  });
});

it.each([
  'postgres://user:pa,ss@host:5432/name?sslmode=disable',
  'postgres://user@/name?host=/run/postgresql&port=5433',
  'postgres://user:pw@%2Frun%2Fa%2Cb:5432/name',
])('the address of one host stays as it is: %s', (address) => {
  expect(addressesOf(address)).toEqual([address]);
});

it.each([
  ['', false],
  ['?target_session_attrs=any', false],
  ['?target_session_attrs=read-write', true],
])('a primary is wanted where the address says so: %j [contract 13]', (query, wantsPrimary) => {
  expect(readDatabaseAddress(`postgres://u@a/n${query}`)).toMatchObject({ wantsPrimary });
});

it.each(['primary', 'READ-WRITE', ''])('target_session_attrs=%s is refused [contract 13]', (target) => {
  const read = (): unknown =>
    readDatabaseAddress(`postgres://u:hunter2@a,b/n?target_session_attrs=${target}`);
  expect(read).toThrow('target_session_attrs must be any or read-write');
});

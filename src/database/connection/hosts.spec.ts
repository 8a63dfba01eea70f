import { Hosts } from './hosts.js';

const ANY = 'postgres://u@a,b,c/n';
const PRIMARY = `${ANY}?target_session_attrs=read-write`;

/** Hosts with a clock that the test sets. */
function hostsOf(url: string, { spreads = true } = {}): { hosts: Hosts; clock: { now: number } } {
  const clock = { now: 0 };
  return { hosts: new Hosts(url, { spreads, now: () => clock.now }), clock };
}

const orders = (hosts: Hosts, count: number): string[] =>
  Array.from({ length: count }, () => hosts.inOrder().join(''));

describe('the hosts of any', () => {
  it('begin with another one for each connection [contract 13]', () => {
    expect(orders(hostsOf(ANY).hosts, 4)).toEqual(['abc', 'bca', 'cab', 'abc']);
  });

  it('keep their connections whatever others are opened [contract 13]', () => {
    const { hosts } = hostsOf(ANY);
    const cut = jest.fn();
    for (const host of ['a', 'b']) hosts.connected(host, cut);
    expect(cut).not.toHaveBeenCalled();
  });

  it('begin with the first where connections belong together [contract 13]', () => {
    expect(orders(hostsOf(ANY, { spreads: false }).hosts, 2)).toEqual(['abc', 'abc']);
  });

  it('are asked last for five seconds after they have failed, and the others evenly [contract 13]', () => {
    const { hosts, clock } = hostsOf(ANY);
    hosts.failed('b');
    expect(orders(hosts, 4)).toEqual(['acb', 'cab', 'acb', 'cab']);
    clock.now = 5_000;
    expect(orders(hosts, 3)).toEqual(['bca', 'cab', 'abc']);
  });

  it('are asked when all have failed, and one that answers is asked as before [contract 13]', () => {
    const { hosts } = hostsOf(ANY);
    for (const host of ['a', 'b', 'c']) hosts.failed(host);
    expect(orders(hosts, 1)).toEqual(['abc']);
    hosts.connected('c', jest.fn());
    expect(orders(hosts, 1)).toEqual(['cab']);
  });
});

describe('the hosts of a primary', () => {
  it('begin with the one that was it last [contract 13]', () => {
    const { hosts } = hostsOf(PRIMARY);
    expect(orders(hosts, 2)).toEqual(['abc', 'abc']);
    hosts.connected('b', jest.fn());
    expect(orders(hosts, 2)).toEqual(['bca', 'bca']);
    hosts.failed('b');
    expect(orders(hosts, 1)).toEqual(['acb']);
  });

  it('lose the connections to the one before when another is it, and only then [contract 13]', () => {
    const { hosts } = hostsOf(PRIMARY);
    const [ended, first, second, third] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    hosts.connected('a', ended)();
    hosts.connected('a', first);
    expect(first).not.toHaveBeenCalled();
    hosts.connected('b', second);
    hosts.connected('b', third);
    expect([ended, first, second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0, 0]);
  });

  it('are not asked for a tenth of a second after none of them was it [contract 13]', () => {
    const { hosts, clock } = hostsOf(PRIMARY);
    const error = new Error('none');
    hosts.foundNoPrimary(error);
    clock.now = 99;
    expect(hosts.recentFailure).toBe(error);
    clock.now = 100;
    expect(hosts.recentFailure).toBeUndefined();
    hosts.foundNoPrimary(error);
    hosts.connected('a', jest.fn());
    expect(hosts.recentFailure).toBeUndefined();
  });
});

it.each([
  ['postgres://u@a/n', false],
  [ANY, true],
  ['postgres://u@a/n?target_session_attrs=read-write', true],
])('%s is a choice, or none: %s', (url, isChoice) => {
  expect(hostsOf(url).hosts.isChoice).toBe(isChoice);
});

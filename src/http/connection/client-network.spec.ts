import { clientNetwork, networkOf } from './connection-limits.js';

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '20010db800010002/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002/64'],
    ['2001:db8:1:3::1', '20010db800010003/64'],
    ['fe80::1%eth0', 'fe80000000000000/64'],
    ['::1', '0000000000000000/64'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(clientNetwork(address)).toBe(network));
});

describe('the network of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3::4', '20010db800010002/64'],
    ['<script>', '10.0.0.1'],
    ['192.0.2.1:4711', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ])('of which the proxies say %j is %j [contract 6]', (ip, network) => {
    expect(networkOf({ ip, socket: { remoteAddress: '10.0.0.1' } })).toBe(network);
  });
});

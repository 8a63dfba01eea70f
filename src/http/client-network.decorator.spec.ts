import { networkOf } from './client-network.decorator.js';

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

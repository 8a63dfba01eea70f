import { databaseUrl, serverAddress } from './server-address.js';

const PID = { pid: 1, port: 5432, socketDirectory: '', listenAddress: '', status: 'ready' };

describe('serverAddress', () => {
  it.each([
    ['a socket in the cluster', { socketDirectory: '.' }, { host: '/data/postgres', port: 5432 }],
    ['a socket elsewhere', { socketDirectory: '/tmp/x' }, { host: '/tmp/x', port: 5432 }],
    ['a port', { listenAddress: '127.0.0.1', port: 54_321 }, { host: '127.0.0.1', port: 54_321 }],
    ['nothing yet', {}, undefined],
  ])('finds %s', (_, content, address) => {
    expect(serverAddress({ ...PID, ...content }, '/data/postgres')).toEqual(address);
  });
});

describe('databaseUrl', () => {
  it.each([
    [
      { host: '/my data/é', port: 5432 },
      'p@ss',
      'postgres://fairlead:p%40ss@%2Fmy%20data%2F%C3%A9:5432/fairlead',
    ],
    [{ host: '127.0.0.1', port: 54_321 }, 'x', 'postgres://fairlead:x@127.0.0.1:54321/fairlead'],
  ])('of %j', (address, password, url) => {
    expect(databaseUrl(address, 'fairlead', password)).toBe(url);
    expect(new URL(url).href).toBe(url);
  });
});

import { isWorthRetrying, serverSettings } from './server-starter.js';

describe('serverSettings', () => {
  it('listens on this machine only and never risks committed data', () => {
    expect(serverSettings(5433, 20)).toMatchObject({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: '5433',
      max_connections: '20',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
    });
  });
});

describe('isWorthRetrying', () => {
  it.each([
    ['FATAL:  could not create any TCP/IP sockets', true],
    ['FATAL:  lock file "postmaster.pid" already exists', true],
    ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', true],
    ['LOG:  received fast shutdown request', true],
    ['FATAL:  configuration file "/data/postgresql.conf" contains errors', false],
    ['', false],
  ])('%j: %s', (output, expected) => {
    expect(isWorthRetrying(output)).toBe(expected);
  });
});

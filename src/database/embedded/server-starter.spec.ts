import { isWorthRetrying, serverSettings } from './server-starter.js';

describe('serverSettings', () => {
  it('never risks committed data, and keeps every session for the service', () => {
    expect(serverSettings(20)).toMatchObject({
      max_connections: '20',
      superuser_reserved_connections: '0',
      password_encryption: 'scram-sha-256',
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

import { portSettings, socketSettings } from './server-listening.js';

describe('where the server listens', () => {
  it('is a socket in its own directory for its owner alone, and no port', () => {
    expect(socketSettings('/data/postgres', '/data/postgres')).toEqual({
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: '.',
      unix_socket_permissions: '0700',
    });
  });

  it('can be a socket elsewhere, in a list of one', () => {
    expect(socketSettings('/tmp/a, "b"', '/data/postgres')).toMatchObject({
      unix_socket_directories: '"/tmp/a, ""b"""',
    });
  });

  it('is a port of this machine on Windows', () => {
    expect(portSettings(54_321)).toEqual({
      listen_addresses: '127.0.0.1',
      port: '54321',
      unix_socket_directories: '',
    });
  });
});

import { Client, type ClientConfig } from 'pg';
import { internalsOf } from './driver.js';

/**
 * A client that proves its password by SCRAM-SHA-256 and gives it away in no other form, like libpq with
 * `require_auth=scram-sha-256`. It lets in no server that has not proven that it knows the password too. pg's
 * own client sends its password in clear text, or its MD5 hash, to any server that asks for it.
 *
 * `connect` fails with an error of the code 08P01 (protocol violation) when the server wants something else.
 */
export class ScramClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = internalsOf(this);
    let proven = false;
    const refuse = (what: string): void => {
      const error = new Error(`The server of the embedded database ${what}, and only SCRAM-SHA-256 is used`);
      connection.emit('error', Object.assign(error, { code: '08P01' }));
    };
    // pg answers these events after the listeners here, over a connection that is destroyed then.
    connection.on('error', () => connection.stream.destroy());
    connection.on('authenticationCleartextPassword', () => refuse('asks for the password in clear text'));
    connection.on('authenticationMD5Password', () => refuse('asks for the MD5 hash of the password'));
    // A proof that is wrong, or not expected yet, makes pg emit an error.
    connection.on('authenticationSASLFinal', () => (proven = true));
    connection.on('authenticationOk', () => {
      if (!proven) refuse('asks for no password');
    });
  }
}

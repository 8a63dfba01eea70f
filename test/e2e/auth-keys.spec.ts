// Services of its own: they have keys.
import { createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ApiClientsService, type ClientCredentials } from '../../src/management/index.js';
import { errorCode } from '../../src/database/errors.js';
import { freePort } from '../support/processes/free-port.js';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { decodeToken, forgeToken } from '../support/forge-token.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

type Algorithm = 'RS256' | 'ES256';

// The services of these tests have no TLS.
/* eslint-disable @typescript-eslint/no-deprecated */
const [INSECURE, insecure] = [openid.allowInsecureRequests, { [oauth.allowInsecureRequests]: true }];
/* eslint-enable @typescript-eslint/no-deprecated */

const pair = (algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } =>
  algorithm === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });

let folder: string;
let database: TestDatabase;
const running: TestService[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-keys-'));
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

let files = 0;
const file = (key: KeyObject | string): string => {
  const path = join(folder, `key-${files++}.pem`);
  const pem =
    typeof key === 'string'
      ? key
      : key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' });
  writeFileSync(path, pem);
  return path;
};

/** Starts a service whose issuer is its address. Another program may take the port first. */
async function start(env: Record<string, string | undefined>): Promise<TestService> {
  for (;;) {
    const port = await freePort();
    const all = { JWT_ISSUER: `http://127.0.0.1:${port}`, ...env };
    try {
      const service = await TestService.start({ database, port, env: all });
      running.push(service);
      return service;
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE') throw error;
    }
  }
}

const signing = (key: KeyObject, env: Record<string, string> = {}): Promise<TestService> =>
  start({ JWT_SECRET: undefined, JWT_PRIVATE_KEY_FILE: file(key), ...env });

async function tokenOf(service: TestService, client: ClientCredentials): Promise<string> {
  const { body } = await service.anonymous.post('/oauth2/token', {
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  return body.access_token;
}

const statusOf = async (service: TestService, token: string): Promise<number> =>
  (await new ApiClient(service.url, token).get('/contacts')).status;

describe.each(['RS256', 'ES256'] as const)('A service that signs with %s', (algorithm) => {
  const { privateKey, publicKey } = pair(algorithm);

  it('is discovered by openid-client, which gets a token that the service accepts [contract 2, contract 6]', async () => {
    const service = await signing(privateKey);
    const { clientId, clientSecret } = await service.createClient('acme');
    const configuration = await openid.discovery(new URL(service.url), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [INSECURE],
    });
    const { access_token } = await openid.clientCredentialsGrant(configuration, { scope: 'records:read' });
    expect(await statusOf(service, access_token)).toBe(200);
    const { header } = decodeToken(access_token);
    const { body } = await service.anonymous.get('/.well-known/jwks.json');
    expect(header).toEqual({ alg: algorithm, typ: 'at+jwt', kid: body.keys[0].kid });
    expect(body.keys).toEqual([
      { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: algorithm, kid: header['kid'] },
    ]);
  });

  it('is discovered by oauth4webapi, which verifies its tokens by its public keys alone [contract 2, contract 6]', async () => {
    const service = await signing(privateKey);
    const { clientId, clientSecret } = await service.createClient('acme');
    const issuer = new URL(service.url);
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id: clientId },
      oauth.ClientSecretPost(clientSecret),
      new URLSearchParams(),
      insecure,
    );
    const { access_token } = await oauth.processClientCredentialsResponse(
      server,
      { client_id: clientId },
      response,
    );
    const request = new Request(`${service.url}/contacts`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, 'fairlead', insecure);
    expect(claims).toMatchObject({ iss: service.url, client_id: clientId });
  });

  it('accepts what the key before has signed, and no longer without that key [contract 6]', async () => {
    const before = await signing(privateKey);
    const client = await before.createClient('acme');
    const old = await tokenOf(before, client);
    const { url: JWT_ISSUER } = before;
    const next = pair(algorithm === 'RS256' ? 'ES256' : 'RS256');
    const rotated = await signing(next.privateKey, {
      JWT_ISSUER,
      JWT_PREVIOUS_PUBLIC_KEY_FILES: file(publicKey),
    });
    expect(await statusOf(rotated, old)).toBe(200);
    expect(await statusOf(rotated, await tokenOf(rotated, client))).toBe(200);
    const { body } = await rotated.anonymous.get('/.well-known/jwks.json');
    expect(body.keys).toHaveLength(2);
    expect(body.keys[1].kid).toBe(decodeToken(old).header['kid']);
    expect(await statusOf(await signing(next.privateKey, { JWT_ISSUER }), old)).toBe(401);
  });

  it('refuses every token that another key could have made, without a query [5.3, contract 2]', async () => {
    const service = await signing(privateKey, { JWT_SECRET_PREVIOUS: TEST_SECRET });
    const client = await service.createClient('acme');
    const { accountId } = await service.account('acme');
    const good = await tokenOf(service, client);
    const { header, claims } = decodeToken(good);
    const stranger = pair(algorithm).privateKey;
    const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
    const jwk = JSON.stringify((await service.anonymous.get('/.well-known/jwks.json')).body.keys[0]);
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (head: object, key: KeyObject): string => {
      const input = `${encode(head)}.${encode(claims)}`;
      const signature = createSign('sha256').update(input).sign({ key, dsaEncoding: 'ieee-p1363' });
      return `${input}.${signature.toString('base64url')}`;
    };
    const [, payload] = good.split('.');
    const by = (secret: string, head: object): string =>
      forgeToken(
        { clientId: client.clientId, accountId },
        { secret, header: { ...header, ...head }, claims },
      );
    const other = algorithm === 'RS256' ? 'ES256' : 'RS256';
    const forged: Record<string, string> = {
      'no algorithm': `${encode({ ...header, alg: 'none' })}.${payload}.`,
      'no algorithm, no kid': `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'the public key as a secret': by(pem, { alg: 'HS256' }),
      'the public key as a secret, no kid': by(pem, { alg: 'HS256', kid: undefined }),
      'the JWK as a secret, no kid': by(jwk, { alg: 'HS256', kid: undefined }),
      'the secret before under the kid of the key': by(TEST_SECRET, { alg: 'HS256' }),
      'another key under the same kid': signed(header, stranger),
      'another key under another kid': signed({ ...header, kid: 'other' }, stranger),
      'the key under another kid': signed({ ...header, kid: 'other' }, privateKey),
      'the key under no kid': signed({ ...header, kid: undefined }, privateKey),
      'the key under a kid of another type': signed({ ...header, kid: [header['kid']] }, privateKey),
      'the key for another algorithm': signed({ ...header, alg: other }, privateKey),
      'a key in the header': signed(
        { ...header, kid: undefined, jwk: stranger.export({ format: 'jwk' }) },
        stranger,
      ),
      'an address of keys in the header': signed(
        { ...header, kid: undefined, jku: `${service.url}/.well-known/jwks.json` },
        stranger,
      ),
    };
    expect(await statusOf(service, signed(header, privateKey))).toBe(200);
    for (const [what, token] of Object.entries(forged)) {
      const response = await new ApiClient(service.url, token).get('/contacts');
      expect({ what, status: response.status }).toEqual({ what, status: 401 });
    }
  });
});

describe('16 clients that never stop', () => {
  /** Lets 16 clients work until `change` is done, and once more. @returns the statuses they have seen */
  async function during(
    change: () => Promise<void>,
    ask: (client: number) => Promise<number>,
  ): Promise<Set<number>> {
    let isChanging = true;
    const statuses = new Set<number>();
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let last = false; !last;) {
        last = !isChanging;
        statuses.add(await ask(client));
        // Sixteen at once would leave no time for the change.
        await delay(10);
      }
    });
    await change().finally(() => (isChanging = false));
    await Promise.all(clients);
    return statuses;
  }

  it('have no request refused while their secret is replaced with an overlap [contract 6]', async () => {
    const service = await start({});
    const { clientId, clientSecret: first } = await service.createClient('acme');
    const secrets = [first];
    const rotate = async (): Promise<void> => {
      for (let n = 0; n < 3; n++) {
        const { clientSecret } = await service.app
          .get(ApiClientsService, { strict: false })
          .rotate(clientId, 60);
        secrets.push(clientSecret);
        // Those that were answered while the secret was replaced had the one before.
        asked.clear();
        await waitFor('every client to have the secret', () => Promise.resolve(asked.size === 16));
      }
    };
    const asked = new Set<number>();
    const statuses = await during(rotate, async (client) => {
      const clientSecret = secrets.at(-1)!;
      const { status } = await service.anonymous.post('/oauth2/token', {
        client_id: clientId,
        client_secret: clientSecret,
      });
      if (clientSecret === secrets.at(-1)) asked.add(client);
      return status;
    });
    expect(statuses).toEqual(new Set([200]));
  });

  it('have no request refused while the processes get a new key one by one [contract 6]', async () => {
    const [one, other] = [pair('ES256'), pair('RS256')];
    const oldKey = file(one.publicKey);
    const issuer = { JWT_ISSUER: 'https://crm.acme.test' };
    const [first, second] = [await signing(one.privateKey, issuer), await signing(one.privateKey, issuer)];
    const client = await first.createClient('acme');
    const seats = [first, second];
    let token = await tokenOf(first, client);
    const change = async (): Promise<void> => {
      // The new key is known everywhere before anybody signs with it.
      const known = { ...issuer, JWT_PREVIOUS_PUBLIC_KEY_FILES: file(other.publicKey) };
      for (const seat of [0, 1]) seats[seat] = await signing(one.privateKey, known);
      token = await tokenOf(seats[0]!, client);
      for (const seat of [0, 1]) {
        seats[seat] = await signing(other.privateKey, { ...issuer, JWT_PREVIOUS_PUBLIC_KEY_FILES: oldKey });
        token = await tokenOf(seats[seat], client);
      }
    };
    const statuses = await during(change, (number) => statusOf(seats[number % 2]!, token));
    expect(statuses).toEqual(new Set([200]));
    expect(decodeToken(token).header['alg']).toBe('RS256');
  });
});

describe('A service that signs with a secret', () => {
  it('accepts what the secret before has signed, and no longer without it [contract 6]', async () => {
    const service = await start({ JWT_ISSUER: 'fairlead' });
    const client = await service.createClient('acme');
    const old = await tokenOf(service, client);
    const next = { JWT_ISSUER: 'fairlead', JWT_SECRET: 'another secret of at least 32 bytes for tests' };
    const rotated = await start({ ...next, JWT_SECRET_PREVIOUS: TEST_SECRET });
    expect(await statusOf(rotated, old)).toBe(200);
    expect(await statusOf(rotated, await tokenOf(rotated, client))).toBe(200);
    expect(await statusOf(await start(next), old)).toBe(401);
  });

  it('accepts what a private key before has signed, and a private key what a secret before has [contract 6]', async () => {
    const { privateKey, publicKey } = pair('ES256');
    const first = await start({});
    const client = await first.createClient('acme');
    const { url: JWT_ISSUER } = first;
    const bySecret = await tokenOf(first, client);
    const second = await signing(privateKey, { JWT_ISSUER, JWT_SECRET_PREVIOUS: TEST_SECRET });
    const byKey = await tokenOf(second, client);
    expect(await statusOf(second, bySecret)).toBe(200);
    const third = await start({ JWT_ISSUER, JWT_PREVIOUS_PUBLIC_KEY_FILES: file(publicKey) });
    expect(await statusOf(third, byKey)).toBe(200);
  });

  it('can get another issuer with its key pair, beside processes that have neither yet [contract 6]', async () => {
    const { privateKey, publicKey } = pair('ES256');
    const before = await start({ JWT_ISSUER: 'fairlead' });
    const client = await before.createClient('acme');
    const { url: JWT_ISSUER } = before;
    const bySecret = await tokenOf(before, client);
    const warned = await start({
      JWT_ISSUER: 'fairlead',
      JWT_ISSUER_PREVIOUS: JWT_ISSUER,
      JWT_PREVIOUS_PUBLIC_KEY_FILES: file(publicKey),
    });
    const both = { JWT_ISSUER, JWT_SECRET_PREVIOUS: TEST_SECRET };
    const after = await signing(privateKey, { ...both, JWT_ISSUER_PREVIOUS: 'fairlead' });
    const byKey = await tokenOf(after, client);
    for (const token of [bySecret, byKey]) {
      expect([await statusOf(warned, token), await statusOf(after, token)]).toEqual([200, 200]);
    }
    expect(await statusOf(await signing(privateKey, both), bySecret)).toBe(401);
  });

  it('has no public keys and no metadata [contract 1, contract 6]', async () => {
    const service = await start({});
    for (const path of ['jwks.json', 'oauth-authorization-server']) {
      const message = 'The access tokens of this service have no public keys';
      expectError(await service.anonymous.get(`/.well-known/${path}`), 404, { message });
    }
  });
});

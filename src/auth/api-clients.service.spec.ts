import type { Database } from '../database/index.js';
import type { ApiClientKey, ApiClientsRepository } from './api-clients.repository.js';
import { ApiClientsService } from './api-clients.service.js';
import { hashClientSecret } from './client-secret.js';
import { DEFAULT_SCOPES } from './scope.js';

const ACME = { accountId: 'acme' };
const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const database = {} as Database;

/** Clients of one account: notes what is written. */
class FakeClients {
  readonly written: any[] = [];
  /** Whether the client may be changed: it exists and is not revoked. */
  known = true;
  /** Why nothing can be written. */
  failure: Error | undefined;

  create(db: unknown, { accountId }: typeof ACME, values: object): Promise<string> {
    expect(db).toBe(database);
    this.written.push({ accountId, ...values });
    return Promise.resolve(ID);
  }
  list(_: unknown, { accountId }: typeof ACME): Promise<unknown[]> {
    return Promise.resolve([`client of ${accountId}`]);
  }
  accountOf(_: unknown, clientId: string): Promise<typeof ACME | undefined> {
    expect(clientId).toBe(ID);
    return Promise.resolve(this.known ? ACME : undefined);
  }
  rotate(db: unknown, key: ApiClientKey, values: object): Promise<void> {
    return this.update(db, key, values);
  }
  update(_: unknown, key: ApiClientKey, values: object): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.written.push({ ...key, ...values });
    return Promise.resolve();
  }
}

let clients: FakeClients;
let service: ApiClientsService;
beforeEach(() => {
  clients = new FakeClients();
  service = new ApiClientsService(database, clients as unknown as ApiClientsRepository);
});

describe('ApiClientsService', () => {
  it('creates a client, of whose secret the hash is kept only [contract 2]', async () => {
    const { clientId, clientSecret } = await service.create(ACME, 'CRM', ['dispatch']);
    expect(clientId).toBe(ID);
    const secretHash = hashClientSecret(clientSecret);
    expect(clients.written).toEqual([{ accountId: 'acme', name: 'CRM', secretHash, scopes: ['dispatch'] }]);
  });

  it('gives a new client every scope but manage unless told otherwise [contract 2]', async () => {
    await service.create(ACME, 'CRM');
    expect(clients.written[0].scopes).toEqual(DEFAULT_SCOPES);
    expect(clients.written[0].scopes).not.toContain('manage');
  });

  it('lists the clients of an account', async () => {
    expect(await service.list(ACME)).toEqual(['client of acme']);
  });

  it('replaces the secret of a client by a new one, and nothing else [contract 2]', async () => {
    const first = await service.rotate(ID);
    const second = await service.rotate(ID, 60);
    expect(first.clientSecret).not.toBe(second.clientSecret);
    expect(first.clientId).toBe(ID);
    expect(clients.written).toEqual(
      [first, second].map(({ clientSecret }, index) => ({
        accountId: 'acme',
        clientId: ID,
        secretHash: hashClientSecret(clientSecret),
        overlap: index * 60,
      })),
    );
  });

  it('revokes a client from now on [contract 2]', async () => {
    const before = Date.now();
    await service.revoke(ID);
    expect(clients.written).toEqual([{ accountId: 'acme', clientId: ID, revokedAt: expect.any(Date) }]);
    expect(clients.written[0].revokedAt.getTime()).toBeGreaterThanOrEqual(before);
  });

  it.each(['rotate', 'revoke'] as const)('does not claim to %s what could not be written', async (work) => {
    clients.failure = new Error('connection lost');
    await expect(service[work](ID)).rejects.toBe(clients.failure);
  });

  it.each(['rotate', 'revoke'] as const)(
    'does not %s a client that is unknown or revoked, nor look for what is no id',
    async (work) => {
      const refusal = { status: 404, message: 'Client not found' };
      await expect(service[work]('x')).rejects.toMatchObject(refusal);
      clients.known = false;
      await expect(service[work](ID)).rejects.toMatchObject(refusal);
      expect(clients.written).toEqual([]);
    },
  );
});

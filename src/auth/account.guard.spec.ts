import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { newId } from '../database/index.js';
import type { Throttles } from '../throttles/index.js';
import { AccountGuard } from './account.guard.js';
import type { ClientStatus } from './api-clients.repository.js';
import type { ClientStatusCache } from './client-status.cache.js';
import type { JwtStrategy } from './jwt.strategy.js';
import type { Sessions } from './people/sessions.js';
import { RequireScope, type ClientContext } from './decorators.js';
import type { Scope } from './scope.js';

const ACME = newId();
const CLIENT = newId();

class Routes {
  @RequireScope('records:write')
  write(): void {
    // The guard reads what it requires.
  }

  @RequireScope('manage', 'availability')
  switch(): void {
    // The same.
  }

  unguarded(): void {
    // The same.
  }
}

/** The scopes of the token, and what the database has of its client. */
let token: readonly Scope[];
let client: Pick<ClientStatus, 'accountId' | 'scopes'> | undefined;

beforeEach(() => {
  token = ['records:read', 'records:write'];
  client = { accountId: ACME, scopes: token };
});

/** Asks for a route with a token. @returns the caller, as the route gets it */
async function ask(route: keyof Routes, { late = false } = {}): Promise<ClientContext> {
  const request = { rawHeaders: ['Authorization', 'Bearer x'], headers: {} };
  const response = { setHeader: () => undefined, getHeader: () => 'request' };
  const guard = new AccountGuard(
    new Reflector(),
    { get: () => (late ? Promise.resolve(client) : client) } as unknown as ClientStatusCache,
    { refuseExhausted: () => undefined, admit: () => undefined } as unknown as Throttles,
    {} as unknown as Sessions,
    {} as unknown as JwtStrategy,
  );
  guard['tokens'].set('x', { accountId: ACME, clientId: CLIENT, scopes: token, exp: Infinity });
  const context = {
    getHandler: () => Object.getOwnPropertyDescriptor(Routes.prototype, route)?.value as unknown,
    getClass: () => Routes,
    getArgByIndex: (index: number) => [request, response][index],
  };
  await guard.canActivate(context as unknown as ExecutionContext);
  return (request as unknown as { user: ClientContext }).user;
}

const lacks = (scope: Scope): object => ({ status: 403, message: `This token lacks the scope ${scope}` });

describe.each([{ late: false }, { late: true }])('the caller of a route: %j', (from) => {
  it('has the scopes that its token and its client have [contract 2, contract 6]', async () => {
    client = { accountId: ACME, scopes: ['records:write', 'manage'] };
    const { accountId, clientId, scopes } = await ask('write', from);
    expect({ accountId, clientId, scopes: [...scopes] }).toEqual({
      accountId: ACME,
      clientId: CLIENT,
      scopes: ['records:write'],
    });
  });

  it('is refused where its client has lost the scope, or its token never had it [contract 2]', async () => {
    client = { accountId: ACME, scopes: ['records:read'] };
    await expect(ask('write', from)).rejects.toMatchObject(lacks('records:write'));
    token = ['records:read'];
    client = { accountId: ACME, scopes: ['records:read', 'records:write'] };
    await expect(ask('write', from)).rejects.toMatchObject(lacks('records:write'));
  });

  it('needs one of the scopes that a route names, of which the answer names the first [contract 6]', async () => {
    await expect(ask('switch', from)).rejects.toMatchObject(lacks('manage'));
    token = ['availability'];
    client = { accountId: ACME, scopes: ['availability'] };
    expect([...(await ask('switch', from)).scopes]).toEqual(['availability']);
    await expect(ask('unguarded', from)).rejects.toMatchObject(lacks('manage'));
  });

  it('is refused where its client is gone, or is one of another account [contract 1, contract 2]', async () => {
    for (const gone of [undefined, { accountId: newId(), scopes: token }]) {
      client = gone;
      await expect(ask('write', from)).rejects.toMatchObject({ status: 401 });
    }
  });
});

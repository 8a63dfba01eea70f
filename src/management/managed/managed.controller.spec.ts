import type { ExecutionContext } from '@nestjs/common';
import type { Scope } from '../../auth/index.js';
import { OneKeyGuard } from './managed.controller.js';

/** Asks for a change of a user. @returns whether the guard lets it pass */
function pass(body: unknown, ...scopes: readonly Scope[]): boolean {
  const request = { user: { scopes: new Set(scopes) }, body };
  const context = { switchToHttp: () => ({ getRequest: () => request }) };
  return new OneKeyGuard('available').canActivate(context as unknown as ExecutionContext);
}

describe('a token with the scope availability', () => {
  it.each([[{ available: false }], [{ available: 'text' }]])('may send %j [contract 6]', (body) => {
    expect(pass(body, 'availability')).toBe(true);
  });

  it.each([
    [{}],
    [{ name: 'Ada' }],
    [{ available: true, name: 'Ada' }],
    [{ name: 'Ada', available: true }],
    [{ 'available,name': true }],
    [{ out_of_office: [] }],
  ])('may not send %j, which needs manage [contract 6]', (body) => {
    expect(() => pass(body, 'availability')).toThrow('This token lacks the scope manage');
    expect(pass(body, 'availability', 'manage')).toBe(true);
    expect(pass(body, 'manage')).toBe(true);
  });

  it.each([[[]], [null], ['available'], [undefined]])(
    'has %j refused for what it is [contract 1]',
    (body) => {
      expect(pass(body, 'availability')).toBe(true);
    },
  );
});

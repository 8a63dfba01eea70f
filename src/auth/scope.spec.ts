import { DEFAULT_SCOPES, parseScopes, SCOPES } from './scope.js';

describe('a scope list', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['dispatch', ['dispatch']],
    [' dispatch  records:read ', ['records:read', 'dispatch']],
    ['dispatch dispatch', ['dispatch']],
    [[...SCOPES].reverse().join(' '), SCOPES],
  ])('%j is read, in the one order of all scopes [5.5, contract 2]', (text, scopes) => {
    expect(parseScopes(text)).toEqual({ scopes });
  });

  it.each([
    ['nope', ['nope']],
    ['records:read nope Dispatch nope', ['nope', 'Dispatch']],
    ['constructor __proto__', ['constructor', '__proto__']],
    ['records:read,dispatch', ['records:read,dispatch']],
    ['records:read\tdispatch', ['records:read\tdispatch']],
  ])('%j is refused with the words that are no scopes [5.5, contract 2]', (text, unknown) => {
    expect(parseScopes(text)).toEqual({ unknown });
  });

  it('is all but availability and manage for a client that was told nothing else [5.5, contract 2]', () => {
    expect(DEFAULT_SCOPES).toEqual([
      'records:read',
      'records:write',
      'routers:read',
      'directory:read',
      'dispatch',
    ]);
  });
});

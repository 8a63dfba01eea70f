import { newRun } from '../../../test/units/apply.js';
import { mentioned } from '../../validation/mentioned.js';

const ADA = { kind: 'user', id: '1', name: 'ada@acme.test' } as const;

describe('a change of the configuration', () => {
  it('collects what becomes another, from and to [contract 6]', () => {
    const change = newRun();
    const before = { name: 'Ada', limits: { day: 5, hour: 1 }, teams: ['a'] };
    expect(change.changed(ADA, { before: null, after: { name: 'Ada', limits: null } })).toBe(true);
    expect(
      change.changed(ADA, { before, after: { ...before, limits: { day: 6, hour: 1 }, teams: ['a', 'b'] } }),
    ).toBe(true);
    expect(change.changes).toEqual([
      { action: 'create', object: ADA, values: [{ path: 'name', from: null, to: 'Ada' }] },
      {
        action: 'update',
        object: ADA,
        values: [
          { path: 'limits.day', from: 5, to: 6 },
          { path: 'teams', from: ['a'], to: ['a', 'b'] },
        ],
      },
    ]);
  });

  it('notes nothing where nothing differs, as it is stored [contract 5]', () => {
    const change = newRun();
    const [before, after] = [
      { at: new Date(0), gone: null },
      { at: new Date(0).toISOString(), more: undefined },
    ];
    expect(change.changed(ADA, { before, after })).toBe(false);
    expect(change.changes).toEqual([]);
  });

  it('collects what was refused, with its place in the file [contract 5]', () => {
    const change = newRun();
    change.failAt('users[1]')('email', 'No');
    change.fail('name', 'No');
    expect(change.errors).toEqual([
      { field: 'accounts[0].users[1].email', message: 'No' },
      { field: 'accounts[0].name', message: 'No' },
    ]);
  });
});

describe('what a file mentions', () => {
  it('is what has a value: null is one, a missing key is none [contract 5]', () => {
    expect(mentioned({ a: 1, b: undefined, c: null, d: false, e: '' })).toEqual({
      a: 1,
      c: null,
      d: false,
      e: '',
    });
  });
});

import { newRun } from '../../testing/apply.js';
import { differingKeys, mentioned } from './apply-run.js';

describe('ApplyRun', () => {
  it('collects what was done, in the spelling of the file [contract 5]', () => {
    const run = newRun();
    run.created('user', 'ada@acme.test');
    run.updated('user', 'bob@acme.test', ['workingHours', 'name', 'outOfOffice']);
    expect(run.changes).toEqual([
      { action: 'create', kind: 'user', name: 'ada@acme.test' },
      { action: 'update', kind: 'user', name: 'bob@acme.test', keys: ['working_hours', 'name', 'out_of_office'] },
    ]);
  }); // prettier-ignore

  it('collects what was refused, with its place in the file [contract 5]', () => {
    const run = newRun();
    run.refuse('users[1].email', 'No');
    expect(run.errors).toEqual([{ field: 'accounts[0].users[1].email', message: 'No' }]);
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

describe('differing keys', () => {
  it('are those of the file whose values are others, compared as they are stored [contract 5]', () => {
    class Limits {
      constructor(readonly day: number) {}
    }
    const present = { name: 'Ada', limits: { day: 5 }, hours: [1, 2], archivedAt: new Date(0), more: 1 };
    const same = { name: 'Ada', limits: new Limits(5), hours: [1, 2], archivedAt: new Date(0) };
    expect(differingKeys(present, same)).toEqual([]);
    const other = { name: 'Eve', limits: new Limits(6), hours: [2, 1], archivedAt: null };
    expect(differingKeys(present, other)).toEqual(['name', 'limits', 'hours', 'archivedAt']);
  });

  it('are those that were not there before, too', () => {
    expect(differingKeys({}, { name: 'Ada', nothing: undefined })).toEqual(['name']);
    expect(differingKeys({ name: undefined }, { name: null })).toEqual(['name']);
  });
});

import { assignedInstants } from '../../../test/units/assigned-instants.js';
import { contact, input } from '../../../test/units/engine-fixtures.js';
import { type Capacity, type Workload } from './workload.js';
import { applicableCapacities, weighedInput } from './decision.js';

const capacity = (name: string, values: Partial<Capacity> = {}): Capacity => ({
  name,
  objectType: 'contacts',
  field: 'region',
  values: ['emea'],
  maxByEmail: new Map([['ada@acme.test', 5]]),
  ...values,
});
const workload = (assigned: number, owned: number, open?: number): Workload => ({
  assigned: assignedInstants({ hour: assigned, day: assigned, week: assigned, month: assigned }),
  owned,
  capacities: new Map(open === undefined ? [] : [['open', open]]),
});
const emea = { region: 'emea', contact_owner: 'Ada@acme.test' };

describe('a capacity', () => {
  it('applies to records of its type with one of its values', () => {
    const others = [capacity('deals', { objectType: 'deals' }), capacity('apac', { values: ['apac'] })];
    const names = (values: Record<string, string>) =>
      applicableCapacities([capacity('emea'), ...others], contact(values)).map(({ name }) => name);
    expect(names(emea)).toEqual(['emea']);
    expect(names({ region: 'apac' })).toEqual(['apac']);
    expect(names({})).toEqual([]);
  });
});

describe('workloads', () => {
  const capacities = [capacity('open')];
  const workloads = new Map([
    ['ada@acme.test', workload(1, 4, 2)],
    ['bob@acme.test', workload(2, 0, 0)],
  ]);

  it('are weighed without the record itself and assignments of its owner, with nothing but the capacities that apply', () => {
    const all = [...capacities, capacity('deals', { objectType: 'deals' })];
    const given = input({ record: contact(emea), workloads, capacities: all });
    const weighed = weighedInput(given, 'contact_owner');
    expect(weighed.capacities).toEqual(capacities);
    expect(weighed.workloads?.get('ada@acme.test')).toEqual(workload(0, 3, 1));
    expect(weighed.workloads?.get('bob@acme.test')).toBe(workloads.get('bob@acme.test'));
    expect(workloads.get('ada@acme.test')).toEqual(workload(1, 4, 2));
    const apac = { ...given, record: contact({ ...emea, region: 'apac' }) };
    expect(weighedInput(apac, 'contact_owner').workloads?.get('ada@acme.test')).toEqual(workload(0, 3, 2));
  });

  it('are left alone where none are given', () => {
    const given = input();
    expect(weighedInput(given, 'contact_owner')).toBe(given);
  });
});

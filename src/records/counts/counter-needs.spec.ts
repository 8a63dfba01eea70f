import { counterOf, type CountedRecords } from './counter-needs.js';
import { OWNER } from './record-counts.statements.js';

const having = { field: 'lifecycle_stage', values: ['lead', 'customer'] };
const of = (more: Partial<CountedRecords> = {}): string =>
  counterOf({ objectType: 'contacts', ownerField: 'contact_owner', ...more });

describe('the counter of records', () => {
  it('is that of the type where all records count by the own owner field', () => {
    expect(of()).toBe(OWNER);
  });

  it('has the same id in every process and release', () => {
    expect(of({ having })).toBe('7a6e46fa03c4c067a8d6b97db4a92bc2');
    expect(of({ having: { ...having, values: ['customer', 'lead', 'customer'] } })).toBe(of({ having }));
  });

  it('differs by owner field, field and values', () => {
    const all = [
      of({ having }),
      of({ having: { ...having, field: 'city' } }),
      of({ having: { ...having, values: ['lead'] } }),
      of({ having: { ...having, values: ['lead,customer'] } }),
      of({ having, ownerField: 'partner' }),
      of({ ownerField: 'partner' }),
      of({ ownerField: 'deal_owner' }),
      of(),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

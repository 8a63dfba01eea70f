import { routerOf } from '../../../test/units/configuration.js';
import { isId } from '../../database/index.js';
import { NOON, user } from '../../../test/units/engine-fixtures.js';
import { snapshotOf, TYPES } from '../../../test/units/decisions.js';
import { imaginedRecord } from './imagined-record.js';

const snapshot = snapshotOf(
  { users: [user('ada')], routers: [routerOf('R', [], { objectType: 'deals' })] },
  'R',
);
const imagine = (fields: unknown) =>
  imaginedRecord(snapshot, fields, { types: TYPES, at: NOON, findRecord: () => undefined });

describe('an imagined record', () => {
  it('has the type of the router, the fields as a create would store them, and the instant [contract 6]', () => {
    const record = imagine({ deal_name: 'Big', description: null, deal_owner: 'ADA@acme.test' });
    expect(record).toEqual({
      id: record.id,
      object_type: 'deals',
      fields: { deal_name: 'Big', deal_owner: 'ada@acme.test' },
      archived_at: null,
      archived_by: null,
      created_at: NOON,
      updated_at: NOON,
    });
    expect(isId(record.id)).toBe(true);
    expect(imagine({}).id).not.toBe(record.id);
  }); // prettier-ignore

  it('may lack what a create requires [contract 6]', () => {
    expect(imagine({}).fields).toEqual({});
  });

  it('is refused with every failing field [2.9, contract 6]', () => {
    expect(() => imagine({ nope: 'x', amount: 'many' })).toThrow(
      expect.objectContaining({
        status: 400,
        details: { errors: [expect.objectContaining({ field: 'nope' }), expect.objectContaining({ field: 'amount' })] },
      }),
    );
  }); // prettier-ignore
});

import { orderTables } from './order-tables.js';

const table = (oid: number, ...refersTo: number[]): { oid: string; refersTo: string[] } => ({
  oid: String(oid),
  refersTo: refersTo.map(String),
});

/** The ids of the tables in their order, or of those that refer to each other. */
function order(...tables: { oid: string; refersTo: string[] }[]): unknown {
  return Object.entries(orderTables(tables)).map(([kind, found]) => [
    kind,
    found.map(({ oid }) => Number(oid)),
  ]);
}

describe('the order of tables', () => {
  it('stays as it is without references', () => {
    expect(order(table(3), table(1), table(2))).toEqual([['ordered', [3, 1, 2]]]);
  });

  it('has each table after those that it refers to', () => {
    expect(order(table(1, 2, 3), table(2, 3), table(3), table(4, 1))).toEqual([['ordered', [3, 2, 1, 4]]]);
  });

  it('does not mind a table that refers to itself, or to one that is not there', () => {
    expect(order(table(1, 1), table(2, 2, 9))).toEqual([['ordered', [1, 2]]]);
  });

  it('does not exist where tables refer to each other', () => {
    expect(order(table(1), table(2, 3), table(3, 2))).toEqual([['circle', [2, 3]]]);
  });
});

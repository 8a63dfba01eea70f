import type { RouterEntity } from '../../routers/index.js';
import type { AccountConfiguration } from './account-configuration.js';

/** Bytes of heap, as measured (ADR 2). */
const BYTES = {
  account: 1_024,
  /** For a character of the JSON of a row. */
  character: 3,
  /** For a character of the JSON of rules: what is compiled from it. */
  compiled: 11,
};

/** Rows do not change, and stay when others of the configuration do. */
const known = new WeakMap<object, number>();

/** Returns about how many bytes of heap a configuration takes, with all that is compiled from it. */
export function heapBytes({ catalog, directory, capacities, routers }: AccountConfiguration): number {
  let sum = BYTES.account;
  for (const rows of [catalog.own, directory.own, directory.teams, capacities]) {
    for (const row of rows) sum += remembered(row, rowBytes);
  }
  for (const router of routers.values()) sum += remembered(router, routerBytes);
  return sum;
}

function remembered<Row extends object>(row: Row, count: (row: Row) => number): number {
  const bytes = known.get(row) ?? count(row);
  known.set(row, bytes);
  return bytes;
}

function rowBytes(row: object): number {
  return JSON.stringify(row).length * BYTES.character;
}

function routerBytes(router: RouterEntity): number {
  const { rules = [], trigger = null } = router.settings ?? {};
  return rowBytes(router) + JSON.stringify([rules, trigger]).length * BYTES.compiled;
}

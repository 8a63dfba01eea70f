import { configurationOf, type Configured } from './configuration.js';
import { EMPTY_ROTATION_STATE, type Assigned, type NotAssigned } from '../../src/engine/index.js';
import { BUILTINS, type EngineExtensions } from './engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../../src/fields/index.js';
import { type RouterSnapshot, RouterSnapshots } from '../../src/dispatch/snapshot/router-snapshots.js';

/** The account of these tests. */
export const ACME = { accountId: 'acme' };

/** The built-in field types. */
export const TYPES = new FieldTypeRegistry(BUILT_IN_FIELD_TYPES);

/** Snapshots of routers, by an engine with the built-in extensions unless another is given. */
export const snapshots = ({ operators, models, checks }: EngineExtensions = BUILTINS): RouterSnapshots =>
  new RouterSnapshots(operators, models, checks, TYPES);

/** The snapshot of a router. */
export const snapshotOf = (configured: Configured, routerId: string): RouterSnapshot =>
  snapshots().get(ACME, configurationOf(configured), routerId);

/** A decision that gives the record to a user by a turn of the router's own pool. */
export const assigned = (user: string, values: Partial<Assigned> = {}): Assigned => ({
  assigned: true,
  unchanged: false,
  user,
  fieldName: 'contact_owner',
  reason: 'round_robin',
  message: 'The object was successfully assigned',
  rotation: EMPTY_ROTATION_STATE,
  turn: { rotationKey: '', team: null },
  rule: null,
  step: 0,
  trace: [],
  ...values,
});

/** A decision that gives the record to nobody. */
export const REFUSED: NotAssigned = {
  assigned: false,
  reason: 'no_users_available',
  message: 'Nobody is available',
  trace: [],
};

import type { components, operations } from './schema';

type Schemas = components['schemas'];

export type ConsoleSession = Schemas['ConsoleSession'];
export type Me = Schemas['Me'];
export type Field = Schemas['Field'];
export type RecordChange = Schemas['RecordChange'];
export type Router = Schemas['Router'];
export type ListedRouter = Schemas['ListedRouter'];
export type Rotation = Schemas['RouterFairness']['rotations'][number];
export type Simulation = Schemas['Simulation'];
export type Trigger = Schemas['Trigger'];
export type ValueChange = Schemas['ValueChange'];
export type AuditEntry = Schemas['AuditEntry'];
export type Now = NonNullable<User['now']>;
export type User = Schemas['User'];
export type UserChanges = Schemas['UserChanges'];
export type Assignment = Schemas['Assignment'];
export type AssignmentCounts = Schemas['AssignmentCounts'];
export type AssignmentEntry = Schemas['AssignmentSummary'];

/** What the list of assignments, and their counts, can be narrowed by. */
export type AssignmentFilter = Omit<
  NonNullable<operations['listAssignments']['parameters']['query']>,
  'limit' | 'offset' | 'after'
>;

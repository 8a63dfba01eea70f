import type { AnyKind } from '../managed/managed-kind.js';

/** A section of the file whose objects are of one kind. */
export type SectionName = 'fields' | 'users' | 'teams' | 'capacities';

/** The order of their references: each section refers only to earlier ones. Routers come last. */
export const APPLIED: readonly SectionName[] = ['fields', 'users', 'teams', 'capacities'];

/** The order of removals: what refers to others goes before them. Routers come first. */
export const PRUNED: readonly SectionName[] = ['capacities', 'teams', 'fields', 'users'];

/** The kinds of the sections. */
export type SectionKinds = Readonly<Record<SectionName, AnyKind>>;

/** Injection token of SectionKinds. */
export const SECTION_KINDS = Symbol('SectionKinds');

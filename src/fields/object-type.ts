/** The four object types of clause 2.1, in the order the specification lists them. */
export const OBJECT_TYPES = ['contacts', 'companies', 'deals', 'tickets'] as const;

/** An object type, spelled as its path segment. */
export type ObjectType = (typeof OBJECT_TYPES)[number];

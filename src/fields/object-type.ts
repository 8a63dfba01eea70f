/** The four object types of clause 2.1, in the order the specification lists them. */
export const OBJECT_TYPES = ['contacts', 'companies', 'deals', 'tickets'] as const;

/** An object type, spelled as its path segment. */
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** The fields that a create must contain (clause 2.7): at least one of them, or each of them. */
type RequiredOnCreate = { readonly anyOf: readonly string[] } | { readonly allOf: readonly string[] };

/** What the specification fixes about one object type. Fields are named by their internal names. */
export interface ObjectTypeRules {
  /** `contact` for contacts. */
  readonly singular: string;
  /** The fields of every response in the order of clause 2.1. They stand between `id` and `archived`. */
  readonly defaultFields: readonly string[];
  /** The user field that routers assign by default. */
  readonly ownerField: string;
  readonly requiredOnCreate: RequiredOnCreate;
  /** The unique keys of clause 2.8, in the order they are checked. */
  readonly uniqueKeys: readonly string[];
}

/** The rules of each object type. */
export const OBJECT_TYPE_RULES: Readonly<Record<ObjectType, ObjectTypeRules>> = {
  contacts: {
    singular: 'contact',
    defaultFields: ['first_name', 'last_name', 'email', 'contact_owner', 'external_id'],
    ownerField: 'contact_owner',
    requiredOnCreate: { anyOf: ['email', 'first_name', 'last_name'] },
    uniqueKeys: ['email', 'external_id'],
  },
  companies: {
    singular: 'company',
    defaultFields: ['company_name', 'description', 'industry', 'company_owner', 'external_id'],
    ownerField: 'company_owner',
    requiredOnCreate: { anyOf: ['company_name', 'website_url'] },
    uniqueKeys: ['website_url', 'external_id'],
  },
  deals: {
    singular: 'deal',
    defaultFields: ['deal_name', 'pipeline', 'deal_stage', 'deal_owner', 'external_id'],
    ownerField: 'deal_owner',
    requiredOnCreate: { allOf: ['deal_name', 'deal_stage', 'pipeline'] },
    uniqueKeys: ['external_id'],
  },
  tickets: {
    singular: 'ticket',
    defaultFields: ['ticket_name', 'pipeline', 'ticket_owner', 'external_id'],
    ownerField: 'ticket_owner',
    requiredOnCreate: { allOf: ['ticket_name', 'ticket_stage', 'pipeline'] },
    uniqueKeys: ['external_id'],
  },
};

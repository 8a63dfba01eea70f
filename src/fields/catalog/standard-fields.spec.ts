import { OBJECT_TYPE_RULES, OBJECT_TYPES } from '../object-type.js';
import { BUILT_IN_FIELD_TYPES } from '../types/built-in-field-types.js';
import { customNameProblem } from './reserved-names.js';
import { STANDARD_FIELDS } from './standard-fields.js';

const LISTS = {
  contacts:
    'first_name last_name email phone job_title company_name website_url country state city ' +
    'lead_source lifecycle_stage contact_owner external_id company',
  companies:
    'company_name website_url description industry phone country state city ' +
    'number_of_employees annual_revenue company_owner external_id',
  deals: 'deal_name pipeline deal_stage amount close_date description deal_owner external_id company contact',
  tickets: 'ticket_name pipeline ticket_stage priority description ticket_owner external_id company contact',
};

const OTHER_TYPES: Record<string, string> = {
  lead_source: 'enumeration',
  lifecycle_stage: 'enumeration',
  pipeline: 'enumeration',
  deal_stage: 'enumeration',
  ticket_stage: 'enumeration',
  priority: 'enumeration',
  number_of_employees: 'number',
  annual_revenue: 'number',
  amount: 'number',
  close_date: 'datetime',
  contact_owner: 'user',
  company_owner: 'user',
  deal_owner: 'user',
  ticket_owner: 'user',
  company: 'reference',
  contact: 'reference',
};

describe.each(OBJECT_TYPES)('the standard fields of %s', (objectType) => {
  const fields = STANDARD_FIELDS[objectType];

  it('are those of the contract', () => {
    expect(fields.map((field) => field.internalName)).toEqual(LISTS[objectType].split(' '));
    for (const field of fields) {
      expect(field.type).toBe(OTHER_TYPES[field.internalName] ?? 'string');
      expect(field).toMatchObject({ objectType, standard: true });
      expect(field.label).toMatch(/^[A-Z]/);
      expect(BUILT_IN_FIELD_TYPES.some((type) => type.id === field.type)).toBe(true);
    }
  });

  it('have names that a custom field could have', () => {
    for (const field of fields) {
      const others = fields.filter((other) => other !== field);
      expect(customNameProblem(field, others)).toBeUndefined();
    }
  });

  it('have options exactly where they are enumerations, each with a name of its own', () => {
    for (const { type, options } of fields) {
      expect(options.length > 0).toBe(type === 'enumeration');
      expect(new Set(options.map((option) => option.internalName)).size).toBe(options.length);
      expect(new Set(options.map((option) => option.label.toLowerCase())).size).toBe(options.length);
    }
  });

  it('include every field of the rules', () => {
    const { defaultFields, ownerField, requiredOnCreate, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
    const required = 'anyOf' in requiredOnCreate ? requiredOnCreate.anyOf : requiredOnCreate.allOf;
    const names = fields.map((field) => field.internalName);
    expect(names).toEqual(expect.arrayContaining([...defaultFields, ...required, ...uniqueKeys]));
    expect(fields.find((field) => field.internalName === ownerField)?.type).toBe('user');
    expect(ownerField).toBe(`${OBJECT_TYPE_RULES[objectType].singular}_owner`);
  });
});

it.each([
  ['deals', 'pipeline', 'default'],
  ['tickets', 'pipeline', 'default'],
  ['deals', 'deal_stage', 'new'],
  ['tickets', 'ticket_stage', 'new'],
] as const)('%s.%s has the option %s', (objectType, name, option) => {
  const field = STANDARD_FIELDS[objectType].find(({ internalName }) => internalName === name);
  expect(field?.options.map(({ internalName }) => internalName)).toContain(option);
});

import { missingFields } from './missing-fields.js';

describe('missingFields', () => {
  it.each([
    ['contacts', 'At least one of email, first_name, last_name is required'],
    ['companies', 'At least one of company_name, website_url is required'],
  ] as const)('%s need one of several', (objectType, message) => {
    expect(missingFields(objectType, () => false)).toEqual([{ message }]);
    expect(missingFields(objectType, (name) => name === 'phone')).toEqual([{ message }]);
  });

  it.each([
    ['contacts', 'email'],
    ['contacts', 'first_name'],
    ['contacts', 'last_name'],
    ['companies', 'company_name'],
    ['companies', 'website_url'],
  ] as const)('%s are complete with %s', (objectType, present) => {
    expect(missingFields(objectType, (name) => name === present)).toEqual([]);
  });

  it.each([
    ['deals', ['deal_name', 'deal_stage', 'pipeline']],
    ['tickets', ['ticket_name', 'ticket_stage', 'pipeline']],
  ] as const)('%s need each of %j', (objectType, required) => {
    const errors = required.map((field) => ({ field, message: `Required field: ${field}` }));
    expect(missingFields(objectType, () => false)).toEqual(errors);
    expect(missingFields(objectType, () => true)).toEqual([]);
    for (const [index, field] of required.entries()) {
      expect(missingFields(objectType, (name) => name !== field)).toEqual([errors[index]]);
    }
  });
});

import { DuplicateRecordError } from './duplicate-record.error.js';

describe('DuplicateRecordError', () => {
  it('is a 409 that names the first colliding key, and lists all of them [2.8, 2.9]', () => {
    expect(new DuplicateRecordError('companies', ['website_url', 'external_id'])).toMatchObject({
      status: 409,
      message: 'A company with this website_url already exists',
      details: {
        field: 'website_url',
        errors: [
          { field: 'website_url', message: 'A company with this website_url already exists' },
          { field: 'external_id', message: 'A company with this external_id already exists' },
        ],
      },
    });
  });
});

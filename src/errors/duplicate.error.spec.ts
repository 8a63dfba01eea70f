import { DuplicateError } from './duplicate.error.js';
import { errorObject } from './error-object.js';

describe('DuplicateError', () => {
  it('is a 409 about the first colliding key, and lists all of them with the records that have them [2.8, 2.9, contract 1]', () => {
    const collisions = [
      { field: 'website_url', existingId: 'one' },
      { field: 'external_id', existingId: 'two' },
    ];
    expect(errorObject(new DuplicateError('company', collisions))).toEqual({
      message: 'A company with this website_url already exists',
      error: true,
      code: 'duplicate',
      field: 'website_url',
      existing_id: 'one',
      errors: [
        {
          field: 'website_url',
          message: 'A company with this website_url already exists',
          existing_id: 'one',
        },
        {
          field: 'external_id',
          message: 'A company with this external_id already exists',
          existing_id: 'two',
        },
      ],
    });
  });

  it('names no record that is not known', () => {
    expect(errorObject(new DuplicateError('deal', [{ field: 'external_id' }]))).toEqual({
      message: 'A deal with this external_id already exists',
      error: true,
      code: 'duplicate',
      field: 'external_id',
      errors: [{ field: 'external_id', message: 'A deal with this external_id already exists' }],
    });
  });
});

import {
  BadRequestException,
  ForbiddenException,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { OutcomeUnknownError } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalidField, unauthorized } from '../../errors/errors.js';
import { errorBody, toDomainError } from './error-body.js';

const failure = (values: object): Error => Object.assign(new Error('secret: hunter2'), values);

describe('what a caller may know of an error', () => {
  it('is all of one that is meant for callers [7]', () => {
    const error = invalidField('email', 'email is required');
    expect(toDomainError(error)).toBe(error);
  });

  it.each([
    [
      'a lost database',
      failure({ code: 'ECONNREFUSED' }),
      503,
      'The database is unavailable, try again shortly',
    ],
    [
      'a statement that took too long',
      failure({ code: '57014' }),
      503,
      'The database is unavailable, try again shortly',
    ],
    ['a refusal of the framework', new ForbiddenException('Forbidden'), 403, 'Forbidden'],
  ])('is nothing of the text of %s [7, contract 1]', (_, error, status, message) => {
    const known = toDomainError(error);
    expect({ status: known?.status, message: known?.message }).toEqual({ status, message });
    expect(JSON.stringify(errorBody(known!, 'id'))).not.toContain('hunter2');
  });

  it('is the message that a handler gave a missing thing', () => {
    expect(toDomainError(new NotFoundException('Lead not found'))).toMatchObject({
      status: 404,
      message: 'Lead not found',
    });
  });

  it('is every message of a list, under the status of the exception', () => {
    const one = toDomainError(new UnprocessableEntityException({ message: ['a is wrong'] }));
    expect(one).toMatchObject({
      status: 422,
      message: 'a is wrong',
      details: { errors: [{ message: 'a is wrong' }] },
    });
    const two = toDomainError(new BadRequestException(['a is wrong', 'b is wrong']));
    expect(two).toMatchObject({
      status: 400,
      message: 'a is wrong (and 1 more)',
      details: { errors: [{ message: 'a is wrong' }, { message: 'b is wrong' }] },
    });
  });

  it('is when to ask again where the database is away [7, contract 1]', () => {
    expect(toDomainError(failure({ code: '57P03' }))?.details.headers).toEqual({ 'Retry-After': '1' });
  });

  it.each([
    ['an outcome that is unknown', new OutcomeUnknownError(new Error('reset'))],
    ['a lost connection of which nothing else is known', failure({ code: '57P01' })],
  ])('is that a write may have happened, and not when to ask again, for %s [7, contract 1]', (_, error) => {
    const known = toDomainError(error);
    expect(known?.details.headers).toBeUndefined();
    expect(errorBody(known!, 'id')).toMatchObject({
      message: expect.stringContaining('may or may not have happened'),
      code: 'outcome_unknown',
    });
  });

  it.each([
    ['a mistake of the program', new TypeError('x is undefined')],
    ['an unexpected error of the database', failure({ code: '42P01' })],
    ['an error with a status of a server', failure({ status: 500 })],
    ['the status of another server', failure({ status: 404 })],
    ['no error at all', 'secret'],
    ['nothing', undefined],
    ['null', null],
  ])('is nothing where it is %s [7]', (_, error) => expect(toDomainError(error)).toBeUndefined());
});

describe('an error object', () => {
  it('has a message, error and the id of the request [2.9]', () => {
    expect(errorBody(unauthorized('No'), 'id')).toEqual({
      message: 'No',
      error: true,
      code: 'unauthorized',
      request_id: 'id',
    });
  });

  it('has the field that is to blame, every failing field and what else belongs to it [2.9]', () => {
    const errors = [{ field: 'email', message: 'No' }];
    const error = new DomainError('invalid_fields', 'No', {
      field: 'email',
      errors,
      extra: { error_code: 'x' },
    });
    expect(errorBody(error, 'id')).toEqual({
      message: 'No',
      error: true,
      code: 'invalid_fields',
      field: 'email',
      errors,
      error_code: 'x',
      request_id: 'id',
    });
  });
});

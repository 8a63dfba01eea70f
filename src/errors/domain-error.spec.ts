import { codeOfStatus, DomainError, ERROR_CODES, statusOf, TOKEN_ERROR_CODES } from './domain-error.js';

describe('the words of errors', () => {
  it('are those of the contract [contract 1]', () => {
    expect(ERROR_CODES.join(', ')).toBe(
      'invalid_request, invalid_fields, unauthorized, insufficient_scope, not_found, method_not_allowed, ' +
        'duplicate, archived, not_archived, conflict, precondition_failed, idempotency_key_reused, ' +
        'idempotency_in_progress, too_large, unsupported_media_type, rate_limited, unavailable, ' +
        'outcome_unknown, internal',
    );
  });

  it('are those of RFC 6749 at the token endpoint [contract 1, contract 2]', () => {
    expect(TOKEN_ERROR_CODES.map((code) => [code, statusOf(code)])).toEqual([
      ['invalid_client', 401],
      ['invalid_request', 400],
      ['unsupported_grant_type', 400],
      ['invalid_scope', 400],
    ]);
  });

  it('have a usual status, which an error may change', () => {
    expect(new DomainError('not_archived', 'No').status).toBe(409);
    expect(new DomainError('too_large', 'No', { status: 431 }).status).toBe(431);
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [408, 'invalid_request'],
    [409, 'conflict'],
    [410, 'invalid_request'],
    [412, 'precondition_failed'],
    [413, 'too_large'],
    [415, 'unsupported_media_type'],
    [422, 'invalid_request'],
    [423, 'conflict'],
    [429, 'rate_limited'],
    [431, 'too_large'],
    [500, 'internal'],
    [501, 'internal'],
    [503, 'unavailable'],
    [504, 'unavailable'],
  ])('of an error of which only the status %i is known is %s', (status, code) => {
    expect(codeOfStatus(status)).toBe(code);
  });
});

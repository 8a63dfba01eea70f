import { DomainError } from '../errors/domain-error.js';
import { invalid } from '../errors/errors.js';
import { describeTokenError, invalidClient, tokenError } from './token-errors.js';

describe('an error before the token endpoint', () => {
  it('gets its code, and is not stored [contract 2]', () => {
    const error = describeTokenError(
      new DomainError('unsupported_media_type', 'No', { headers: { Allow: 'POST' } }),
    );
    expect({ ...error.details, code: error.code, message: error.message }).toEqual({
      status: 415,
      code: 'invalid_request',
      message: 'No',
      extra: { error_code: 'invalid_request', error_description: 'No' },
      headers: { Allow: 'POST', 'Cache-Control': 'no-store' },
    });
  });

  it('is left as it is with a code of its own, and where the server is to blame [contract 2]', () => {
    for (const error of [
      new DomainError('invalid_client', 'No', { extra: { error_code: 'invalid_client' } }),
      invalidClient(true),
      tokenError('invalid_scope', invalid([])),
      new DomainError('unavailable', 'No'),
    ]) {
      expect(describeTokenError(error)).toBe(error);
    }
  });
});

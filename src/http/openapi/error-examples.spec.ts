import { ERROR_CODES } from '../../errors/error-codes.js';
import { errorExamples } from './error-examples.js';

describe('the examples of errors', () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 500, 503])('of %i are error objects with their code [contract 1]', (status) => {
    const examples = Object.entries(errorExamples(status));
    expect(examples.length).toBeGreaterThan(0);
    for (const [code, { summary, value }] of examples) {
      expect(ERROR_CODES).toContain(code);
      expect(value).toMatchObject({ code, error: true, message: summary, request_id: expect.any(String) });
    }
  }); // prettier-ignore

  it('show both kinds of each status that has two [contract 1]', () => {
    expect([400, 409, 503].map((status) => Object.keys(errorExamples(status)))).toEqual([
      ['invalid_request', 'invalid_fields'],
      ['duplicate', 'archived'],
      ['unavailable', 'outcome_unknown'],
    ]);
  });
});

import { ERROR_CODES } from '../../errors/domain-error.js';
import { ERROR_ANSWERS, ERROR_EXAMPLES, ERROR_REFERENCES } from './answers.js';

describe('the examples of errors', () => {
  it('are error objects with their code [contract 1]', () => {
    for (const [code, { summary, value }] of Object.entries(ERROR_EXAMPLES)) {
      expect(ERROR_CODES).toContain(code);
      expect(value).toMatchObject({ code, error: true, message: summary, request_id: expect.any(String) });
    }
  });

  it.each([
    [400, ['invalid_request', 'invalid_fields']],
    [401, ['unauthorized']],
    [403, ['insufficient_scope']],
    [404, ['not_found']],
    [405, ['method_not_allowed']],
    [409, ['duplicate', 'conflict', 'archived', 'not_archived', 'idempotency_in_progress']],
    [412, ['precondition_failed']],
    [413, ['too_large']],
    [415, ['unsupported_media_type']],
    [500, ['internal']],
    [503, ['unavailable', 'outcome_unknown']],
  ])('of %i are %j [contract 1]', (status, codes) => {
    const references = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    const name = ERROR_REFERENCES[status]!.$ref.split('/').at(-1)!;
    const { content } = ERROR_ANSWERS[name] as { content: Record<string, { examples: object }> };
    expect(Object.entries(content['application/json']!.examples)).toEqual(references);
    for (const code of codes) expect(ERROR_EXAMPLES).toHaveProperty(code);
  });
});

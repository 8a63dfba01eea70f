import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => (service = await TestService.shared()));
afterAll(() => service.stop());

describe('A search by the time of a change', () => {
  const AT = '2026-06-10T12:00:00.500';
  /** Records of the millisecond before, of the begin and the end of the millisecond, and of the next. */
  const TIMES = ['2026-06-10T12:00:00.499999Z', `${AT}000Z`, `${AT}999Z`, '2026-06-10T12:00:00.501Z'];

  it.each(['created_at', 'updated_at'])(
    'takes the millisecond that records show: %s [contract 7]',
    async (field) => {
      const slug = `at-${field}`.replace('_', '-');
      const client = await service.login(slug);
      const { accountId } = await service.account(slug);
      await sql(
        service,
        `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
       SELECT $1, 'deals', uuid_v7(at), jsonb_build_object('deal_name', place::text), at, at
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS t (at, place)`,
        [accountId, TIMES],
      );
      const found = async (operator: string, value: unknown): Promise<string> => {
        const { body } = await client.post('/deals/search', {
          filter: { groups: [{ conditions: [{ field, operator, value }] }] },
        });
        return body.data.map((each: any) => each.deal_name).join('');
      };
      const at = `${AT}Z`;
      expect([await found('lt', at), await found('lte', at)]).toEqual(['1', '123']);
      expect([await found('gt', at), await found('gte', at)]).toEqual(['4', '234']);
      expect([await found('eq', at), await found('in', [at]), await found('between', [at, at])]).toEqual(
        Array(3).fill('23'),
      );
    },
  );
});

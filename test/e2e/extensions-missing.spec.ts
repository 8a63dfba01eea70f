// Services of its own: one has an extension, the next has not.
import type { DistributionModel, FairleadExtension, FieldType, TriggerOperator } from '../../src/index.js';
import { expectError } from '../support/error-object.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { condition } from '../support/database/trigger-table.js';

const LAST: DistributionModel = {
  id: 'last',
  reason: 'last',
  usesCredit: false,
  validate: () => [],
  weigh: () => 1n,
  distribute: ({ entries, ledger }) => ({
    entry: entries.at(-1)!,
    ledger,
    explanation: { rule: 'last', columns: [], rows: [] },
  }),
};
const MATCHES: TriggerOperator = { id: 'matches', compile: () => ({ ok: true, test: () => true }) };
const COLOUR: FieldType = { id: 'colour', parse: (value) => ({ ok: true, value: String(value) }) };
const EXTENSION: FairleadExtension = {
  name: 'colours',
  fieldTypes: [COLOUR],
  triggerOperators: [MATCHES],
  distributionModels: [LAST],
};

const POOL = { users: people(['ada']) };
const MODEL = 'the distribution model "last"';
const OPERATOR = 'the trigger operator "matches"';
const TYPE = 'the field type "colour"';

/** The routers that need the extension, and what they need of it. */
const BROKEN = [
  ['model', MODEL],
  ['model of a rule', MODEL],
  ['operator', OPERATOR],
  ['operator of a rule', OPERATOR],
  ['type', TYPE],
  ['all', `${MODEL} and ${OPERATOR} and ${TYPE}`],
] as const;

describe('Without the extension that a router needs', () => {
  let database: TestDatabase;
  let before: TestService;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    before = await TestService.start({ database, extensions: [EXTENSION] });
    const operator = condition('last_name', 'matches', 1);
    const configured = await RoutingAccount.open(before, {
      fields: [{ object_type: 'contacts', internal_name: 'favourite', label: 'F', type: 'colour' }],
      users: people(['ada']),
      routers: [
        router('sound', { trigger: condition('last_name', 'is_empty') }, POOL),
        router('model', { distribution_model: 'last' }, POOL),
        router('model of a rule', { rules: [{ name: 'A', distribution_model: 'last' }] }, POOL),
        router('operator', { trigger: operator }, POOL),
        router('operator of a rule', { rules: [{ name: 'A', trigger: operator }] }, POOL),
        router('type', { trigger: condition('favourite', 'eq', 'red') }, POOL),
        router(
          'all',
          {
            distribution_model: 'last',
            trigger: operator,
            rules: [{ name: 'A', trigger: condition('favourite', 'is_empty') }],
          },
          POOL,
        ),
        router('draft', { distribution_model: 'last' }, { ...POOL, published: false }),
      ],
    });
    service = await TestService.start({ database });
    account = configured.through(service);
  });
  afterAll(async () => {
    await service.stop();
    await before.stop();
    await database.drop();
  });

  it.each(BROKEN)(
    'a dispatch by the router "%s" says what is missing, and is no 500',
    async (name, missing) => {
      const message = `The router "${name}" cannot run: no extension of this server provides ${missing}`;
      const id = await account.contact();
      const router_id = await account.routerId(name);
      const refusal = { message, code: 'conflict' };
      expectError(await account.dispatch(name, id), 409, refusal);
      expectError(await account.simulate(name, { object_id: id }), 409, refusal);
      expectError(await account.api.post('/dispatch/batch', { router_id, object_ids: [id] }), 409, refusal);
      expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBeNull();
      expect((await account.api.get(`/assignments?object_id=${id}`)).body.data).toEqual([]);
      expect((await account.api.get(`/routers/${router_id}`)).body).toMatchObject({ id: router_id, name });
    },
  );

  it('the other routers run, and an unpublished one is that', async () => {
    expect(await account.assign('sound', await account.contact())).toBe('ada');
    expect(await account.assign('draft', await account.contact())).toBe('router_unpublished');
    const { status, body } = await account.api.get('/routers');
    expect({ status, count: body.pagination.count }).toEqual({ status: 200, count: 8 });
    expect(service.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { userIdOf } from '../../support/database/stored-records.js';
import { condition, TriggerTable } from '../../support/database/trigger-table.js';
import { TestService } from '../../support/test-service.js';

const CONTACTS = {
  parisVip: { city: 'Paris', vip: true, score: 90 },
  paris: { city: 'Paris', vip: false, score: 10 },
  romeVip: { city: 'Rome', vip: true, score: 50 },
  empty: {},
};
const ALL = Object.keys(CONTACTS);

const paris = { field: 'city', operator: 'eq', value: 'paris' };
const rome = { field: 'city', operator: 'eq', value: 'rome' };
const vip = { field: 'vip', operator: 'eq', value: true };
const high = { field: 'score', operator: 'gt', value: 40 };
const all = (...conditions: object[]): object => ({ conditions });

const TRIGGERS: Readonly<Record<string, { trigger: object; matches: readonly string[] }>> = {
  'no groups': { trigger: { groups: [] }, matches: ALL },
  'no trigger at all': { trigger: {}, matches: ALL },
  'an empty group': { trigger: { groups: [all()] }, matches: ALL },
  'a group without conditions': { trigger: { groups: [{}] }, matches: ALL },
  'an empty group beside others': { trigger: { groups: [all(paris, rome), all()] }, matches: ALL },
  'one condition': { trigger: { groups: [all(paris)] }, matches: ['parisVip', 'paris'] },
  'conditions of a group are AND-ed': { trigger: { groups: [all(paris, vip)] }, matches: ['parisVip'] },
  'three of them': { trigger: { groups: [all(vip, high, rome)] }, matches: ['romeVip'] },
  'two that exclude each other': { trigger: { groups: [all(paris, rome)] }, matches: [] },
  'groups are OR-ed': {
    trigger: { groups: [all(paris), all(rome)] },
    matches: ['parisVip', 'paris', 'romeVip'],
  },
  'groups of several': {
    trigger: { groups: [all(paris, { ...vip, value: false }), all(rome, high)] },
    matches: ['paris', 'romeVip'],
  },
  'the last group alone': { trigger: { groups: [all(paris, rome), all(vip, rome)] }, matches: ['romeVip'] },
  'the first group alone': {
    trigger: { groups: [all(paris, vip), all(rome, paris)] },
    matches: ['parisVip'],
  },
  'no group': { trigger: { groups: [all(paris, rome), all(high, { ...vip, value: false })] }, matches: [] },
  'the same field twice': {
    trigger: {
      groups: [
        all({ field: 'score', operator: 'gte', value: 10 }, { field: 'score', operator: 'lt', value: 90 }),
      ],
    },
    matches: ['paris', 'romeVip'],
  },
  'the day it was created': {
    trigger: condition('create_date', 'gt', '2020-01-01'),
    matches: ALL,
  },
  'the day it was last changed': {
    trigger: condition('last_modified_date', 'lt', '2020-01-01'),
    matches: [],
  },
  'whether it ever had an owner': {
    trigger: condition('contact_owner_assigned_date', 'is_empty'),
    matches: ALL,
  },
};

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

describe('A trigger', () => {
  it.each(Object.entries(TRIGGERS))('%s [4.6, contract 4]', async (name, { trigger, matches }) => {
    const table = await TriggerTable.open(service, CONTACTS, new Map([[name, trigger]]));
    expect(await table.matched(name)).toEqual(matches);
  });

  it('answers Trigger did not match, and traces every condition with the value it saw [4.6, contract 4]', async () => {
    const trigger = { groups: [all(paris, vip), all(high)] };
    const { account } = await TriggerTable.open(service, {}, new Map([['T', trigger]]));
    const { status, body } = await account.dispatch('T', await account.contact(CONTACTS.paris));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Trigger did not match',
        success: false,
        reason: 'trigger_not_matched',
        assignment_id: expect.any(String),
      },
    });
    expect((await account.log())[0]!.trace).toEqual([
      {
        step: 'trigger',
        matched: false,
        groups: [
          [
            { ...paris, saw: 'Paris', held: true },
            { ...vip, saw: 'false', held: false },
          ],
          [{ ...high, saw: '10', held: false }],
        ],
      },
    ]);
  });

  it('sees what a PATCH has just changed [4.4, 4.6, contract 4]', async () => {
    const { account } = await TriggerTable.open(service, {}, new Map([['T', { groups: [all(rome)] }]]));
    const id = await account.contact({ city: 'Paris' });
    expect(await account.assign('T', id)).toBe('trigger_not_matched');
    await account.api.patch(`/contacts/${id}`, { fields: { city: 'ROME' } });
    expect(await account.assign('T', id)).toBe('ada');
    await account.api.patch(`/contacts/${id}`, { fields: { city: null } });
    expect(await account.assign('T', id)).toBe('trigger_not_matched');
  });

  it('reads a user by id, and goes on comparing once the user is gone [contract 4]', async () => {
    const account = await RoutingAccount.open(service, { users: people(['ada', 'leaver']) });
    const leaver = await userIdOf(service, account.slug, mail('leaver'));
    const manager = { object_type: 'contacts', internal_name: 'manager', type: 'user' };
    const byId = router('id', { trigger: condition('manager', 'eq', leaver) }, { users: people(['ada']) });
    const not = router(
      'not',
      { trigger: condition('manager', 'neq', mail('leaver')) },
      { users: people(['ada']) },
    );
    await account.apply({ fields: [manager], routers: [byId, not] });
    const theirs = (): Promise<string> => account.contact({ manager: mail('leaver') });
    expect(await account.assign('id', await theirs())).toBe('ada');
    const [kept, other] = [await theirs(), await account.contact({ manager: mail('ada') })];
    await account.loseUser('leaver');
    await account.apply({ users: [{ email: mail('ada'), name: 'Ada' }] });
    expect(await account.assign('not', kept)).toBe('trigger_not_matched');
    expect(await account.assign('not', other)).toBe('ada');
  });
});

describe('A trigger that could never be weighed is refused before it is stored', () => {
  const PATH = 'accounts[0].routers[0].settings.trigger.groups[0].conditions[0]';

  it.each([
    ['an unknown field', condition('shoe_size', 'eq', 1), 'field: Unknown field of contacts: shoe_size'],
    ['an unknown operator', condition('city', 'like', 'x'), 'operator: Unknown operator: like'],
    ['text in a number', condition('score', 'gt', 'many'), 'value: score must be a finite number'],
    ['no date', condition('signed_up', 'lt', 'soon'), 'value: signed_up must be a date'],
    ['an unknown option', condition('region', 'eq', 'mars'), 'value: region must be one of: emea, apac, NA'],
    ['no user', condition('manager', 'eq', 'x@y.z'), 'value: manager is not a user of the account'],
    ['no bool', condition('vip', 'eq', 'maybe'), 'value: vip must be true, false, "true" or "false"'],
    [
      'text search in a number',
      condition('score', 'contains', '1'),
      'operator: contains compares text, but score is of type number',
    ],
    ['no list', condition('city', 'in', 'Paris'), 'value: value must be a list of at least one value'],
    ['an empty list', condition('city', 'not_in', []), 'value: value must be a list of at least one value'],
    [
      'one bound',
      condition('score', 'between', [1]),
      'value: value must be a list of two values, [low, high]',
    ],
    [
      'bounds the wrong way round',
      condition('score', 'between', [10, 9]),
      'value: the first of the two values must not be above the second',
    ],
    ['a value where none is taken', condition('city', 'is_empty', 'x'), 'value: value must be left out'],
    ['no value where one is needed', condition('city', 'eq'), 'value: value must be a string'],
  ])('%s [contract 4, contract 5]', async (_, trigger, message) => {
    const { account } = await TriggerTable.open(service, {}, new Map());
    await expect(account.apply({ routers: [router('T', { trigger })] })).rejects.toThrow(
      `${PATH}.${message}`,
    );
  });
});

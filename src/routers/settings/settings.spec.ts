import { BUILTINS, fields, settings } from '../../../test/units/engine-fixtures.js';
import { ROUND_ROBIN } from '../../engine/models/models.js';
import { parseSettings, restoreSettings, renderSettings } from './settings.js';

const parse = (raw: unknown, objectType: 'contacts' | 'companies' | 'deals' = 'contacts') =>
  parseSettings(raw, objectType, { fields, ...BUILTINS });
const paths = (raw: unknown, objectType?: 'companies' | 'deals') => {
  const result = parse(raw, objectType);
  return result.ok ? [] : result.errors.map(({ field }) => field);
};
const condition = (values: object) => ({ trigger: { groups: [{ conditions: [values] }] } });
const at = (key: string) => [`settings.trigger.groups[0].conditions[0].${key}`];

const full = {
  owner_field: 'second_owner',
  overwrite: true,
  overwrite_if_unavailable: true,
  distribution_model: 'percentage',
  rotation_type: 'teams',
  default_user: 'ada@acme.test',
  disable_default_assignment: true,
  ignore_working_hours: true,
  account_matching: true,
  trigger: {
    groups: [
      { conditions: [{ field: 'lead_score', operator: 'between', value: [1, 2] }] },
      { conditions: [] },
    ],
  },
};

describe('settings', () => {
  it('have defaults', () => {
    expect(parse({})).toEqual({ ok: true, settings: settings() });
    expect(parse({}, 'companies')).toMatchObject({ ok: true, settings: { ownerField: 'company_owner' } });
    expect(parse({ trigger: {} })).toEqual({ ok: true, settings: settings() });
  });

  it('are read, rendered with every key, and read again', () => {
    const result = parse(full);
    expect(result).toMatchObject({
      ok: true,
      settings: { ownerField: 'second_owner', rotationType: 'teams' },
    });
    if (!result.ok) return;
    expect(renderSettings(result.settings)).toEqual(full);
    expect(parse(renderSettings(settings()))).toEqual({ ok: true, settings: settings() });
    expect(Object.keys(renderSettings(settings())).sort()).toEqual(Object.keys(full).sort());
    expect(restoreSettings(full, 'contacts')).toEqual(result.settings);
  });

  it('render what only some routers have where it is set [contract 4]', () => {
    const some = { default_user_must_be_available: true, no_rule_matched: 'default_user' };
    const result = parse(some);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.settings).toMatchObject({
      defaultUserMustBeAvailable: true,
      noRuleMatched: 'default_user',
    });
    expect(renderSettings(result.settings)).toMatchObject(some);
    expect(parse({ default_user_must_be_available: false, no_rule_matched: 'refuse' })).toEqual(parse({}));
  });

  it.each([[null], [undefined], [[]], ['x'], [5]])('refuse %j', (raw) => {
    expect(paths(raw)).toEqual(['settings']);
  });

  it.each([
    [{ overwrite: 'true' }, ['settings.overwrite']],
    [{ overwrite: null }, ['settings.overwrite']],
    [{ overwrite_if_unavailable: 1 }, ['settings.overwrite_if_unavailable']],
    [{ disable_default_assignment: 'no' }, ['settings.disable_default_assignment']],
    [{ ignore_working_hours: [] }, ['settings.ignore_working_hours']],
    [{ account_matching: {} }, ['settings.account_matching']],
    [{ rotation_type: 'Teams' }, ['settings.rotation_type']],
    [{ rotation_type: null }, ['settings.rotation_type']],
    [{ default_user: 5 }, ['settings.default_user']],
    [{ default_user: '' }, ['settings.default_user']],
    [{ default_user: 'ada' }, ['settings.default_user']],
    [{ default_user_must_be_available: 'yes' }, ['settings.default_user_must_be_available']],
    [{ default_user_must_be_available: null }, ['settings.default_user_must_be_available']],
    [{ no_rule_matched: 'own_pool' }, ['settings.no_rule_matched']],
    [{ no_rule_matched: null }, ['settings.no_rule_matched']],
    [{ owner_field: 'first_name' }, ['settings.owner_field']],
    [{ owner_field: 'no_such_owner' }, ['settings.owner_field']],
    [{ owner_field: '__proto__' }, ['settings.owner_field']],
    [{ owner_field: 7 }, ['settings.owner_field']],
    [{ distribution_model: 'fair' }, ['settings.distribution_model']],
    [{ distribution_model: 'Round Robin' }, ['settings.distribution_model']],
    [{ account_matching_unavailable_owner: true }, ['settings.account_matching_unavailable_owner']],
    [JSON.parse('{"__proto__": {"overwrite": true}}'), ['settings.__proto__']],
    [{ trigger: null }, ['settings.trigger']],
    [{ trigger: [] }, ['settings.trigger']],
    [{ trigger: { groups: {} } }, ['settings.trigger.groups']],
    [{ trigger: { any: [] } }, ['settings.trigger.any']],
    [{ trigger: { groups: [[]] } }, ['settings.trigger.groups[0]']],
    [{ trigger: { groups: [{ conditions: 'x' }] } }, ['settings.trigger.groups[0].conditions']],
    [{ trigger: { groups: [{ conditions: [null] }] } }, ['settings.trigger.groups[0].conditions[0]']],
    [condition({ field: 'first_name' }), at('operator')],
    [condition({ operator: 'eq', value: 1 }), at('field')],
    [condition({ field: 'nope', operator: 'eq', value: 1 }), at('field')],
    [condition({ field: 'first_name', operator: 'like', value: 'a' }), at('operator')],
    [condition({ field: 'first_name', operator: 'eq' }), at('value')],
    [condition({ field: 'lead_score', operator: 'gt', value: 'ten' }), at('value')],
    [condition({ field: 'lead_score', operator: 'contains', value: '1' }), at('operator')],
    [condition({ field: 'first_name', operator: 'eq', value: 'a', not: true }), at('not')],
    [condition({ field: 'nope', operator: 'like' }), [...at('field'), ...at('operator')]],
  ])('refuse %j', (raw, expected) => {
    expect(paths(raw)).toEqual(expected);
  });

  it('report every error with its place', () => {
    const raw = {
      colour: 'red',
      overwrite: 'yes',
      trigger: {
        groups: [
          {
            conditions: [
              { field: 'first_name', operator: 'eq', value: 'Ada' },
              { field: 'first_name', operator: 'is' },
            ],
          },
          { conditions: [{ field: 'lead_score', operator: 'in', value: [1, 'x'] }] },
        ],
      },
    };
    expect(paths(raw).sort()).toEqual([
      'settings.colour',
      'settings.overwrite',
      'settings.trigger.groups[0].conditions[1].operator',
      'settings.trigger.groups[1].conditions[0].value',
    ]);
  });

  it('match accounts for contacts only', () => {
    expect(paths({ account_matching: true }, 'companies')).toEqual(['settings.account_matching']);
    expect(paths({ account_matching: false }, 'companies')).toEqual([]);
  });

  it('need the default owner field, too', () => {
    expect(paths({}, 'deals')).toEqual(['settings.owner_field']);
  });

  it('take a model that is registered', () => {
    const models = [...BUILTINS.models, { ...ROUND_ROBIN, id: 'lottery', reason: 'lottery' }];
    const result = parseSettings({ distribution_model: 'lottery' }, 'contacts', {
      fields,
      ...BUILTINS,
      models,
    });
    expect(result).toMatchObject({ ok: true, settings: { distributionModel: 'lottery' } });
  });

  it('are restored although what they name is gone, but not out of shape', () => {
    const raw = {
      ...condition({ field: 'gone', operator: 'gone' }),
      distribution_model: 'gone',
      owner_field: 'gone',
    };
    expect(restoreSettings(raw, 'contacts')).toMatchObject({ distributionModel: 'gone', ownerField: 'gone' });
    expect(() => restoreSettings({ ruler: [] }, 'contacts')).toThrow(RangeError);
    expect(() => restoreSettings(null, 'contacts')).toThrow(RangeError);
  });

  it('say what becomes of contacts whose company has an unavailable owner only where it is not the default', () => {
    const result = parse({ account_matching_unavailable_owner: 'assign' });
    expect(result).toMatchObject({ ok: true, settings: { accountMatchingUnavailableOwner: 'assign' } });
    if (!result.ok) return;
    expect(renderSettings(result.settings)).toMatchObject({ account_matching_unavailable_owner: 'assign' });
    expect(parse({ account_matching_unavailable_owner: 'route' })).toEqual({
      ok: true,
      settings: settings(),
    });
  });

  it('keep the backup user in lower case', () => {
    expect(parse({ default_user: ' Ada@Acme.test' })).toMatchObject({
      ok: true,
      settings: { defaultUser: 'ada@acme.test' },
    });
  });
});

import { configurationOf, stored, team } from '../../test/units/configuration.js';
import { BUILTINS, user } from '../../test/units/engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../fields/index.js';
import { RouterValidator, type UncheckedRouter } from './router-validator.js';

const { catalog, directory } = configurationOf({
  users: [user('ada'), user('bob')],
  teams: [team('Sales', 'ada')],
});
const validator = new RouterValidator(
  new FieldTypeRegistry(BUILT_IN_FIELD_TYPES),
  BUILTINS.operators,
  BUILTINS.models,
);

const validate = (draft: Partial<UncheckedRouter>) =>
  validator.validate(
    { objectType: 'contacts', settings: {}, users: [], teams: [], ...draft },
    catalog,
    directory,
  );
const refusals = (draft: Partial<UncheckedRouter>): (string | undefined)[] => {
  const result = validate(draft);
  return result.ok ? [] : result.errors.map(({ field }) => field);
};

describe('a router that somebody wants', () => {
  it('is stored with every default of its settings [contract 4]', () => {
    expect(validate({ settings: { overwrite: true } })).toEqual({
      ok: true,
      settings: stored({ overwrite: true }),
    });
  });

  it('may have no settings yet [contract 5]', () => {
    expect(validate({ settings: null })).toEqual({ ok: true, settings: null });
  });

  it('is refused with every failing setting at once [contract 5]', () => {
    expect(refusals({ settings: { overwrite: 'yes', nope: 1 } })).toEqual(
      expect.arrayContaining(['settings.overwrite', 'settings.nope']),
    );
  });

  it('has a backup user who is a user of the account [contract 4]', () => {
    expect(validate({ settings: { default_user: 'BOB@acme.test' } }).ok).toBe(true);
    expect(validate({ settings: { default_user: 'gone@acme.test' } })).toEqual({
      ok: false,
      errors: [{ field: 'settings.default_user', message: 'gone@acme.test is not a user of the account' }],
    });
  });

  it('has a trigger on fields of its type, with operands they can have [contract 4]', () => {
    const trigger = (field: string, value: unknown) => ({
      trigger: { groups: [{ conditions: [{ field, operator: 'eq', value }] }] },
    });
    expect(refusals({ settings: trigger('contact_owner', 'ada@acme.test') })).toEqual([]);
    expect(refusals({ settings: trigger('contact_owner', 'gone@acme.test') })).toHaveLength(1);
    expect(refusals({ settings: trigger('deal_name', 'x') })).toHaveLength(1);
  });

  it('has rules that name users and teams of the account [contract 4]', () => {
    const rules = [{ name: 'VIP', users: [{ email: 'gone@acme.test' }], teams: [{ name: 'Sales' }, { name: 'Gone' }] }];
    expect(refusals({ settings: { rules } })).toEqual([
      'settings.rules[0].users[0].email',
      'settings.rules[0].teams[1].name',
    ]);
  }); // prettier-ignore

  it('has a pool that fits its model [contract 4]', () => {
    const settings = { distribution_model: 'percentage' };
    const users = (share: number) => [
      { userId: 'id-ada', percentage: 60 },
      { userId: 'id-bob', percentage: share },
    ];
    expect(validate({ settings, users: users(40) }).ok).toBe(true);
    expect(refusals({ settings, users: users(41) })).not.toEqual([]);
    expect(refusals({ settings, teams: [{ teamId: 'id-team-Sales' }] })).not.toEqual([]);
  });

  it('names what fails in settings, rules, pool and backup user together [contract 5]', () => {
    const twice = [{ userId: 'id-ada' }, { userId: 'id-ada' }];
    const rules = [{ name: 'VIP', users: [{ email: 'gone@acme.test' }] }];
    const settings = { default_user: 'gone@acme.test', rules };
    expect(refusals({ settings, users: twice })).toEqual([
      'settings.rules[0].users[0].email',
      expect.stringMatching(/^users/),
      'settings.default_user',
    ]);
    expect(refusals({ settings: { nope: 1, default_user: 'gone@acme.test' }, users: twice })).toEqual([
      'settings.nope',
      expect.stringMatching(/^users/),
      'settings.default_user',
    ]);
    expect(refusals({ settings: { default_user: 'nobody' } })).toEqual(['settings.default_user']);
  });
});

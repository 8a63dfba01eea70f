import { renameInSettings } from './rename-in-settings.js';

const OLD = 'ada@acme.test';
const NEW = 'ada@new.test';
const rename = { from: OLD, to: NEW, isUserField: (field: string) => field === 'contact_owner' };

const condition = (field: string, operator: string, value: unknown) => ({ field, operator, value });
const trigger = (...conditions: object[]) => ({ groups: [{ conditions }] });

describe('a changed e-mail', () => {
  it('stands wherever settings name the user [contract 6]', () => {
    const settings = (email: string) => ({
      overwrite: true,
      default_user: email,
      trigger: trigger(condition('contact_owner', 'in', ['bob@acme.test', email])),
      rules: [
        {
          name: OLD,
          users: [
            { email, percentage: 40 },
            { email: 'bob@acme.test', percentage: 60 },
          ],
          trigger: trigger(condition('contact_owner', 'neq', email)),
          default_user: email,
          steps: [{ users: [{ email }], teams: [{ name: 'Sales' }] }],
        },
      ],
    });
    expect(renameInSettings(settings(OLD), rename)).toEqual(settings(NEW));
  });

  it('is found in any case [contract 6]', () => {
    const settings = { trigger: trigger(condition('contact_owner', 'eq', ' Ada@ACME.test')) };
    expect(renameInSettings(settings, rename)).toEqual({
      trigger: trigger(condition('contact_owner', 'eq', NEW)),
    });
  });

  it('changes no other field, no part of a text and no name [contract 6]', () => {
    const settings = {
      default_user: 'bob@acme.test',
      trigger: trigger(
        condition('email', 'eq', OLD),
        condition('contact_owner', 'ends_with', '@acme.test'),
        condition('contact_owner', 'is_empty', undefined),
        condition('email', 'in', [OLD, { email: OLD }]),
      ),
      rules: [{ name: OLD, id: OLD }],
    };
    expect(renameInSettings(settings, rename)).toBe(settings);
    expect(renameInSettings(null, rename)).toBeNull();
  });
});

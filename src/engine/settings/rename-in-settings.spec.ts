import { renameInSettings } from './rename-in-settings.js';

const OLD = 'ada@acme.test';
const NEW = 'ada@new.test';
const isUserField = (field: string): boolean => field === 'contact_owner';
const rename = { emails: new Map([[OLD, NEW]]), isUserField };

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

  it('is that of another user, who has the former one, at the same time [contract 6]', () => {
    const settings = (...emails: string[]) => ({
      default_user: emails[0],
      trigger: trigger(condition('contact_owner', 'in', emails)),
      rules: [{ name: 'A', users: emails.map((email) => ({ email })) }],
    });
    const emails = new Map([
      [OLD, NEW],
      [NEW, OLD],
    ]);
    expect(renameInSettings(settings(OLD, NEW), { emails, isUserField })).toEqual(settings(NEW, OLD));
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

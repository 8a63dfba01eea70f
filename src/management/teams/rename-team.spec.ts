import { renameTeam } from './rename-team.js';

const names = { from: 'Sales', to: 'Vertrieb' };

describe('a team that is renamed', () => {
  it('has its new name in rules, and in the steps of rules and routers [contract 6]', () => {
    const settings = (name: string) => ({
      overwrite: true,
      default_user: 'Sales',
      steps: [{ teams: [{ name, percentage: 40 }] }],
      rules: [
        { name: 'Sales', teams: [{ name: 'Nord' }, { name }], steps: [{ users: [], teams: [{ name }] }] },
        { name: 'Other', users: [{ email: 'ada@acme.test' }] },
      ],
    });
    expect(renameTeam(settings('Sales'), names)).toEqual(settings('Vertrieb'));
  });

  it('leaves settings that do not name it as they are: the same object', () => {
    const settings = { rules: [{ name: 'Sales', teams: [{ name: 'sales' }] }], teams: null };
    expect(renameTeam(settings, names)).toBe(settings);
    expect(renameTeam(null, names)).toBeNull();
  });
});

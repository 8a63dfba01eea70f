import { renameTeams } from './rename-teams.js';

const names = new Map([['Sales', 'Vertrieb']]);

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
    expect(renameTeams(settings('Sales'), names)).toEqual(settings('Vertrieb'));
  });

  it('can have the former name of another, which has another at the same time [contract 6]', () => {
    const settings = (...teams: string[]) => ({
      rules: [{ name: 'A', teams: teams.map((name) => ({ name })) }],
    });
    const swap = new Map([
      ['Nord', 'Sued'],
      ['Sued', 'Nord'],
    ]);
    expect(renameTeams(settings('Nord', 'Sued'), swap)).toEqual(settings('Sued', 'Nord'));
  });

  it('leaves settings that do not name it as they are: the same object', () => {
    const settings = { rules: [{ name: 'Sales', teams: [{ name: 'sales' }] }], teams: null };
    expect(renameTeams(settings, names)).toBe(settings);
    expect(renameTeams(null, names)).toBeNull();
  });
});

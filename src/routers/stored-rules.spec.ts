import { configurableSettings, storedIdentities, teamsOfRules } from './stored-rules.js';

const SETTINGS = {
  overwrite: true,
  rules: [{ id: 'r1', name: 'A', rotation: 'rule:Old', users: [] }, { name: 'B' }],
};

describe('stored rules', () => {
  it('have the identities of their rotations [contract 4]', () => {
    expect(storedIdentities(SETTINGS)).toEqual([
      { id: 'r1', name: 'A', rotationKey: 'rule:Old' },
      { name: 'B' },
    ]);
  });

  it('have their ids and no rotations in what can be configured, such as an export [contract 5]', () => {
    expect(configurableSettings(SETTINGS)).toEqual({
      overwrite: true,
      rules: [{ id: 'r1', name: 'A', users: [] }, { name: 'B' }],
    });
  });

  it('name teams, each at a place of its own [contract 6]', () => {
    const rules = [{ name: 'A' }, { name: 'B', teams: [{ name: 'Nord' }, { name: 'Sued' }] }];
    expect(teamsOfRules({ rules })).toEqual([
      { field: 'settings.rules[1].teams[0].name', name: 'Nord' },
      { field: 'settings.rules[1].teams[1].name', name: 'Sued' },
    ]);
  });

  it.each([
    [null, null],
    [{}, {}],
    [{ rules: 'none' }, { rules: [] }],
  ])('may be none: %j', (settings, configurable) => {
    expect(storedIdentities(settings)).toEqual([]);
    expect(teamsOfRules(settings)).toEqual([]);
    expect(configurableSettings(settings)).toEqual(configurable);
  });
});

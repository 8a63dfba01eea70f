import { configurableSettings, storedIdentities } from './stored-rules.js';

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

  it.each([
    [null, null],
    [{}, {}],
    [{ rules: 'none' }, { rules: [] }],
  ])('may be none: %j', (settings, configurable) => {
    expect(storedIdentities(settings)).toEqual([]);
    expect(configurableSettings(settings)).toEqual(configurable);
  });
});

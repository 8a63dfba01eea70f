import { readConfigurationFile } from './configuration-file.js';
import { isTold, soundFile, type SoundFile } from './sound-file.js';

function sound(yaml: string): SoundFile {
  const { file, errors } = readConfigurationFile(yaml);
  expect(errors).not.toEqual([]);
  return soundFile(file, errors);
}
const plain = (value: unknown): any => JSON.parse(JSON.stringify(value));

describe('what is left of a refused file', () => {
  it('has no key that fails, and no item that means nothing then [contract 5]', () => {
    const { file } = sound(`
      accounts:
        - slug: acme
          color: red
          name: 5
          users:
            - { email: ada@acme.test, timezone: Mars, available: false }
            - { name: Nobody }
            - { email: bob@acme.test }
          teams: [{ name: Sales, members: 3 }, 7]
          capacities: [{ name: Open, object_type: contacts, field: city, values: [] }]
          routers: none`);
    expect(plain(file)).toEqual({
      accounts: [
        {
          slug: 'acme',
          users: [{ email: 'ada@acme.test', available: false }, { email: 'bob@acme.test' }],
          teams: [{ name: 'Sales' }],
          capacities: [],
        },
      ],
    });
  });

  it('knows where its parts stood [contract 5]', () => {
    const { pathOf } = sound(`
      accounts:
        - { slug: BAD }
        - { slug: acme, users: [{ name: Nobody }, { email: ada@acme.test }] }`);
    expect(pathOf('accounts[0].users[0].email')).toBe('accounts[1].users[1].email');
    expect(pathOf('accounts[0].teams')).toBe('accounts[1].teams');
    expect(pathOf('elsewhere')).toBe('elsewhere');
  });

  it('names nothing twice [contract 5]', () => {
    const { file } = sound(`
      accounts:
        - { slug: acme, users: [{ email: ada@acme.test }, { email: ada@acme.test, name: Ada }] }
        - { slug: acme }`);
    expect(plain(file)).toEqual({ accounts: [{ slug: 'acme', users: [{ email: 'ada@acme.test' }] }] });
  });

  it('is nothing where the accounts are no list', () => {
    expect(sound('accounts: 3').file).toEqual({ accounts: [] });
  });
});

describe('a problem', () => {
  it('is told where the same key of the same item is said to fail', () => {
    const errors = [{ field: 'accounts[0].fields[1].options[2].label', message: 'No' }];
    expect(isTold('accounts[0].fields[1].options', errors)).toBe(true);
    expect(isTold('accounts[0].fields[1].type', errors)).toBe(false);
    expect(isTold('accounts[0].fields[2].options', errors)).toBe(false);
  });
});

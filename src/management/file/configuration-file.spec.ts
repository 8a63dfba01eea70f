import { parseConfigurationFile } from './configuration-file.js';
import { ConfigurationFileError } from './configuration-file.error.js';

/** Returns the errors of a file as `[path, message]`. */
function errorsOf(text: string): [path: string | undefined, message: string][] {
  try {
    parseConfigurationFile(text);
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    return error.errors.map(({ field, message }) => [field, message]);
  }
  throw new Error(`accepted: ${text}`);
}

const inAccount = (yaml: string): string => `accounts: [{ slug: acme, ${yaml} }]`;
const inUser = (yaml: string): string => inAccount(`users: [{ email: ada@acme.test, ${yaml} }]`);

const NOT_AN_OBJECT = ' must be an object';

/** The error of a file that is refused. */
function caught(file: string): ConfigurationFileError {
  try {
    parseConfigurationFile(file);
  } catch (error) {
    if (error instanceof ConfigurationFileError) return error;
  }
  throw new Error('The file was not refused');
}

describe('a configuration file', () => {
  it('is YAML or JSON, and may name no account at all [contract 5]', () => {
    expect(parseConfigurationFile('accounts: []')).toEqual({ accounts: [] });
    expect(parseConfigurationFile('\uFEFF# accounts\n{"accounts": [{"slug": "a"}]}\n')).toEqual({
      accounts: [{ slug: 'a' }],
    });
  });

  it('keeps e-mail addresses in lower case and instants in UTC [contract 5]', () => {
    const { accounts } = parseConfigurationFile(`accounts:
  - slug: acme
    holidays: [2026-12-25]
    users:
      - email: " Ada@ACME.test "
        out_of_office:
          - { from: 2026-12-24T00:00:00+02:00, to: "2026-12-27T00:00:00.5Z" }
    teams: [{ name: Sales, members: [ADA@acme.test] }]
    routers: [{ name: Inbound, users: [{ email: Ada@Acme.Test }] }]`);
    expect(accounts).toEqual([
      {
        slug: 'acme',
        holidays: ['2026-12-25'],
        users: [
          {
            email: 'ada@acme.test',
            out_of_office: [{ from: '2026-12-23T22:00:00.000Z', to: '2026-12-27T00:00:00.500Z' }],
          },
        ],
        teams: [{ name: 'Sales', members: ['ada@acme.test'] }],
        routers: [{ name: 'Inbound', users: [{ email: 'ada@acme.test' }] }],
      },
    ]);
  });

  it('reads options that YAML takes for numbers as their text [contract 5]', () => {
    const { accounts } = parseConfigurationFile(
      inAccount('fields: [{ object_type: contacts, internal_name: x, options: [{ internal_name: 7 }] }]'),
    );
    expect(accounts[0]?.fields?.[0]?.options).toEqual([{ internal_name: '7' }]);
  });

  it.each([
    ['', 'The file must be an object with the key accounts'],
    ['[]', 'The file must be an object with the key accounts'],
    ['accounts', 'The file must be an object with the key accounts'],
    ['accounts: [', /at line 1, column \d+/],
    ['accounts:\n\t- slug: acme', /at line 2, column 1/],
    ['accounts: [{ slug: a, slug: b }]', /^Map keys must be unique at line 1, column \d+/],
    ['accounts: []\n---\naccounts: []', /^The file must be one document at line 2, column 1/],
    ['accounts: *nope', 'unidentified alias "nope" at line 1, column 12'],
    ['accounts: &a [*a]', 'An alias must not lead back to where it stands at line 1, column 16'],
    ['['.repeat(50_000), 'The file nests lists and objects too deep'],
    [`${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`, 'The file nests lists and objects too deep'],
    [
      'accounts: [{ slug: a, users: &u [{ email: a@b.test, x: *u }] }]',
      /^An alias must not lead back to where it stands at line 1, column 57$/,
    ],
    [`a: &a [x]\n${'b: [*a]\n'.replace('b', 'accounts')}${bomb()}`, /alias/i],
  ])('that cannot be read, %j, says why and where [contract 5]', (text, message) => {
    const [[path, said] = [], ...more] = errorsOf(text);
    expect(path).toBeUndefined();
    expect(more).toEqual([]);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it.each([
    [
      'nothing',
      'a: 1',
      [
        ['a', 'Unknown key: a (allowed: accounts)'],
        ['accounts', 'accounts must be an array'],
      ],
    ],
    ['null', 'accounts:', [['accounts', 'accounts must be an array']]],
    ['a number', 'accounts: 5', [['accounts', 'accounts must be an array']]],
    ['an object', 'accounts: { slug: acme }', [['accounts', 'accounts must be an array']]],
    ['a list of null', 'accounts: [null]', [['accounts[0]', NOT_AN_OBJECT]]],
    ['a list of texts', 'accounts: [acme]', [['accounts[0]', NOT_AN_OBJECT]]],
    ['a list in a list', 'accounts: [[]]', [['accounts[0]', 'must not be a list in a list']]],
    ['no slug', 'accounts: [{}]', [['accounts[0].slug', 'slug must be 1 to 63 lower-case letters']]],
    ['two of one slug', 'accounts: [{ slug: a }, { slug: a }]', [['accounts', 'must not name one twice']]],
    ['users of null', inAccount('users: null'), [['accounts[0].users', 'users must be an array']]],
    [
      'users as an object',
      inAccount('users: { email: a }'),
      [['accounts[0].users', 'users must be an array']],
    ],
    ['a user of null', inAccount('users: [null]'), [['accounts[0].users[0]', NOT_AN_OBJECT]]],
    ['a user in a list', inAccount('users: [[]]'), [['accounts[0].users[0]', 'a list in a list']]],
    ['a team of null', inAccount('teams: [null]'), [['accounts[0].teams[0]', NOT_AN_OBJECT]]],
    ['a field of null', inAccount('fields: [null]'), [['accounts[0].fields[0]', NOT_AN_OBJECT]]],
    ['a router of null', inAccount('routers: [null]'), [['accounts[0].routers[0]', NOT_AN_OBJECT]]],
    ['a number as name', inAccount('name: 5'), [['accounts[0].name', 'name must be a text']]],
    ['a name that is null', inAccount('name: null'), [['accounts[0].name', 'name must be a text']]],
    ['NUL in a name', inAccount('name: "a\\0b"'), [['accounts[0].name', 'name must be a text']]],
    ['half a surrogate', inAccount('name: "\\uD83D"'), [['accounts[0].name', 'name must be a text']]],
    ['a text as suspended', inAccount('suspended: maybe'), [['accounts[0].suspended', 'a boolean']]],
    [
      'a day that is none',
      inAccount('holidays: [2026-02-30]'),
      [['accounts[0].holidays', 'dates that exist']],
    ],
    [
      'a holiday in the year 0',
      inAccount('holidays: [0000-12-25]'),
      [['accounts[0].holidays', 'dates that exist']],
    ],
    ['a holiday in words', inAccount('holidays: [Xmas]'), [['accounts[0].holidays', 'dates such as']]],
  ])('with accounts of %s is refused, naming the key [contract 5]', (_, text, expected) => {
    const errors = errorsOf(text);
    expect(errors.map(([path]) => path)).toEqual(expected.map(([path]) => path));
    for (const [index, [, message]] of expected.entries()) expect(errors[index]![1]).toContain(message);
  });

  it.each([
    ['email: nobody', 'email', 'email must be an email'],
    ['email: 5', 'email', 'email must be an email'],
    ['timezone: Mars/Olympus', 'timezone', 'timezone must be an IANA zone such as America/New_York'],
    ['available: sometimes', 'available', 'available must be a boolean value'],
    ['working_hours: {}', 'working_hours', 'working_hours must be an array'],
    ['working_hours: [null]', 'working_hours[0]', NOT_AN_OBJECT],
    ['working_hours: [{ days: [], start: "09:00", end: "17:00" }]', 'working_hours[0].days', 'days'],
    [
      'working_hours: [{ days: [mon, tue, wed, thu, fri, sat, sun, mon], start: "09:00", end: "17:00" }]',
      'working_hours[0].days',
      'no more than 7',
    ],
    [
      'working_hours: [{ days: [monday], start: "09:00", end: "17:00" }]',
      'working_hours[0].days',
      'days must be',
    ],
    [
      'working_hours: [{ days: [mon], start: "9:00", end: "17:00" }]',
      'working_hours[0].start',
      'a time HH:MM',
    ],
    [
      'working_hours: [{ days: [mon], start: "09:00", end: "25:00" }]',
      'working_hours[0].end',
      'a time HH:MM',
    ],
    [
      'out_of_office: [{ from: soon, to: 2026-12-24T00:00:00Z }]',
      'out_of_office[0].from',
      'from must be an ISO',
    ],
    ['limits: 5', 'limits', 'limits must be an object'],
    ['limits: []', 'limits', 'limits must be an object'],
    ['limits: { hour: -1 }', 'limits.hour', 'hour must not be less than 0'],
    ['limits: { day: 1.5 }', 'limits.day', 'day must be an integer number'],
    ['limits: { window: sliding }', 'limits.window', 'window must be one of'],
  ])('with a user’s %s is refused, naming the key [contract 5]', (yaml, key, message) => {
    const text = yaml.startsWith('email') ? inAccount(`users: [{ ${yaml} }]`) : inUser(yaml);
    const errors = errorsOf(text);
    const path = `accounts[0].users[0].${key}`;
    expect(errors.map(([found]) => found)).toContain(path);
    expect(errors.find(([found]) => found === path)?.[1]).toContain(message);
  });

  it.each(['Z', 'soon', '2026-13-01T00:00:00Z', '2026-02-30'])(
    'with an absence until %s, which is no date, is refused [contract 3]',
    (to) => {
      const errors = errorsOf(inUser(`out_of_office: [{ from: 2026-01-01T00:00:00Z, to: "${to}" }]`));
      expect(errors).toEqual([
        ['accounts[0].users[0].out_of_office[0].to', 'to must be an ISO 8601 date, or date and time'],
      ]);
    },
  );

  it('with an absence that ends before it begins is refused [contract 5]', () => {
    const absences =
      '{ from: 2026-12-24T00:00:00Z, to: 2026-12-24T00:00Z }, { from: 2026-12-24, to: 2026-12-23 }';
    expect(errorsOf(inUser(`out_of_office: [${absences}]`))).toEqual([
      ['accounts[0].users[0].out_of_office[0].to', 'to must be later than from'],
      ['accounts[0].users[0].out_of_office[1].to', 'to must be later than from'],
    ]);
  });

  it('is refused with a hundred lines at most, and the number of the others', () => {
    const file = `accounts: [{ slug: a, users: [${'{ x: 1 }, '.repeat(300)}] }]`;
    const error = caught(file);
    expect(error.errors).toHaveLength(100);
    expect(error.message.split('\n')).toHaveLength(101);
    expect(error.message).toMatch(/\n\(and \d+ more\)$/);
  });

  it('is refused with every unknown key, however deep and whatever its name [contract 1, contract 5]', () => {
    const errors = errorsOf(`
extra: 1
constructor: 1
accounts:
  - slug: acme
    nmae: Acme
    __proto__: { name: x }
    users:
      - { email: ada@acme.test, constructor: 1, limits: { year: 1 }, toString: 1 }
    teams: [{ name: Sales, member: [] }]
    fields: [{ object_type: contacts, internal_name: x, options: [{ internal_name: y, colour: red }] }]
    routers: [{ name: Inbound, settings: { trigger: { __proto__: 1 } }, users: [{ email: a@b.test, share: 1 }] }]`);
    expect(errors.map(([path]) => path).sort()).toEqual([
      'accounts[0].__proto__',
      'accounts[0].fields[0].options[0].colour',
      'accounts[0].nmae',
      'accounts[0].routers[0].settings.trigger.__proto__',
      'accounts[0].routers[0].users[0].share',
      'accounts[0].teams[0].member',
      'accounts[0].users[0].constructor',
      'accounts[0].users[0].limits.year',
      'accounts[0].users[0].toString',
      'constructor',
      'extra',
    ]);
    for (const [path, message] of errors) {
      const key = path!.split('.').pop()!;
      const meant = new Map([
        ['nmae', 'name'],
        ['member', 'members'],
      ]).get(key);
      const hint = meant === undefined ? '' : `did you mean ${meant}\\? `;
      expect(message).toMatch(
        new RegExp(`^Unknown key: ${key}( \\(${hint}allowed: .+\\))${hint ? '' : '?'}$`),
      );
    }
  });

  it.each([
    ['users', 'users: [{ email: a@b.test }, { email: A@B.test }]', 'users must not name one twice'],
    ['teams', 'teams: [{ name: A }, { name: A }]', 'teams must not name one twice'],
    [
      'fields',
      'fields: [{ object_type: deals, internal_name: a }, { object_type: deals, internal_name: a }]',
      'fields must not name one twice',
    ],
    ['routers', 'routers: [{ name: A }, { name: A }]', 'routers must not name one twice'],
    ['teams[0].members', 'teams: [{ name: A, members: [a@b.test, A@b.test] }]', ''],
  ])('with duplicates in %s is refused [contract 5]', (key, yaml, message) => {
    const [[path, said] = [], ...more] = errorsOf(inAccount(yaml));
    expect([path, more]).toEqual([`accounts[0].${key}`, []]);
    expect(said).toContain(message);
  });
});

describe('the pool of a router in a configuration file', () => {
  const inRouter = (yaml: string): string => inAccount(`routers: [{ name: Inbound, ${yaml} }]`);

  it.each([
    ['users', 'email: ada@acme.test'],
    ['teams', 'name: Sales'],
  ])('has %s with shares from 0 to 100 [contract 5]', (pool, who) => {
    const withShare = (share: number): string => inRouter(`${pool}: [{ ${who}, percentage: ${share} }]`);
    for (const share of [0, 100]) expect(() => parseConfigurationFile(withShare(share))).not.toThrow();
    const path = `accounts[0].routers[0].${pool}[0].percentage`;
    expect(errorsOf(withShare(-0.0001))).toEqual([[path, 'percentage must not be less than 0']]);
    expect(errorsOf(withShare(100.0001))).toEqual([[path, 'percentage must not be greater than 100']]);
  });

  it.each([
    ['users', (n: number) => `email: u${n}@acme.test`],
    ['teams', (n: number) => `name: Team ${n}`],
  ])('has at most 1,000 %s [contract 5]', (pool, who) => {
    const ofSize = (size: number): string =>
      inRouter(`${pool}: [${Array.from({ length: size }, (_, n) => `{ ${who(n)} }`).join(', ')}]`);
    expect(() => parseConfigurationFile(ofSize(1_000))).not.toThrow();
    expect(errorsOf(ofSize(1_001))).toEqual([
      [`accounts[0].routers[0].${pool}`, `${pool} must contain no more than 1000 elements`],
    ]);
  });
});

/** Returns YAML with aliases of aliases, which becomes extremely large when the aliases are expanded. */
function bomb(): string {
  const lines = Array.from({ length: 12 }, (_, level) => {
    const previous = level === 0 ? 'x' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array.from({ length: 9 }, () => previous).join(', ')}]`;
  });
  return lines.join('\n');
}

import fc from 'fast-check';
import { STANDARD_FIELDS, type FieldDefinition, type ObjectType } from '../../fields/index.js';
import { presetOf } from '../import/presets.js';
import { Columns, rowValues, type ColumnRules, type RowValue } from './columns.js';

const MANAGED = ['id', 'archived', 'created_at', 'updated_at', 'create_date', 'record_id'];

const custom = (internalName: string, label: string, type = 'string'): FieldDefinition => ({
  objectType: 'contacts',
  internalName,
  label,
  type,
  options: [],
  standard: false,
});

function columnsOf(rules: Partial<ColumnRules> = {}, objectType: ObjectType = 'contacts'): Columns {
  return new Columns({
    fields: STANDARD_FIELDS[objectType],
    isManaged: (name) => MANAGED.includes(name),
    key: objectType === 'contacts' ? 'email' : 'external_id',
    map: new Map(),
    ...rules,
  });
}

/** What each heading is for: the name of a field, or another use. */
const uses = (columns: Columns, headings: readonly string[]): string[] =>
  columns.resolve(headings).map((use) => (typeof use === 'object' ? use.field : use));

const messages = (act: () => unknown): string[] => {
  try {
    act();
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
};

describe('The columns of a file', () => {
  it('are found by internal name or label, whatever their case, separators and composition [contract 7]', () => {
    const fields = [...STANDARD_FIELDS.contacts, custom('cafe_b', 'Café Straße')];
    const columns = columnsOf({ fields });
    const spelled = fc.constantFrom(...fields).chain(({ internalName, label }) =>
      fc
        .record({
          words: fc.constantFrom(internalName.split('_'), label.split(/[ -]/)),
          between: fc.array(fc.constantFrom('', ' ', '_', '-', '.', '\u00a0', '\u2011', ' - '), {
            minLength: 3,
            maxLength: 3,
          }),
          form: fc.constantFrom('NFC', 'NFD'),
          letters: fc.constantFrom('toLowerCase', 'toUpperCase', 'trim' as const),
        })
        .map(({ words, between, form, letters }) => {
          const text = words.map((word, index) => word + (between[index] ?? '')).join('');
          return { internalName, heading: text.normalize(form)[letters as 'trim']() };
        }),
    );
    fc.assert(
      fc.property(spelled, ({ heading, internalName }) => {
        // Columns of names are called as the reference.
        const isName = internalName === 'company' && heading !== internalName;
        expect(columns.use(heading)).toMatchObject({ field: isName ? 'company_name' : internalName });
      }),
      { numRuns: 2_000 },
    );
  });

  it('are what people mean where no field is called so [contract 7]', () => {
    expect(uses(columnsOf(), ['Email*', 'Surname', 'Company', 'Owner', 'Phone number:'])).toEqual([
      ...['email', 'last_name', 'company_name', 'contact_owner', 'phone'],
    ]);
    expect(uses(columnsOf(), ['email', 'company', 'Company Name'])).toEqual([
      'email',
      'company',
      'company_name',
    ]);
    expect(uses(columnsOf({ key: 'external_id' }, 'deals'), ['External ID', 'Name', 'Owner'])).toEqual([
      ...['external_id', 'deal_name', 'deal_owner'],
    ]);
  });

  it('are references and their keys where they are spelled so, whatever other fields are called [contract 7]', () => {
    const fields = [...STANDARD_FIELDS.contacts, custom('company_external_id', 'Company external ID')];
    const columns = columnsOf({ fields, map: new Map([['Firm', 'company.external_id']]) });
    expect(uses(columns, ['email', 'Firm', 'Company external ID'])).toEqual([
      ...['email', 'company', 'company_external_id'],
    ]);
    expect(columns.use('company.external_id')).toMatchObject({ field: 'company' });
  });

  it('say of each unknown heading once what may be meant, and nothing where it is ignored [contract 7]', () => {
    const columns = columnsOf();
    expect(columns.use('emial')).toBe('unknown');
    const told = columns.problems('emial');
    expect(told).toEqual([{ message: 'Unknown column: emial (did you mean email?)' }]);
    expect(columns.problems('emial')).toBe(told);
    expect(columnsOf({ ignoreUnknown: true }).problems('emial')).toEqual([]);
    expect(messages(() => columnsOf({ constants: new Map([['compny_name', 'x']]) }))).toEqual([
      'Unknown field: --set compny_name (did you mean company_name?)',
    ]);
  });

  it('are those that people write, and what only the service sets is ignored [contract 7]', () => {
    const headings = ['E-mail', 'First Name', 'LAST_NAME', 'Company Name', 'Website'];
    expect(uses(columnsOf(), headings)).toEqual([
      ...['email', 'first_name', 'last_name', 'company_name', 'website_url'],
    ]);
    const columns = columnsOf();
    expect(uses(columns, ['email', 'created_at', '_line', 'Create Date', 'Record ID'])).toEqual([
      ...['email', 'ignored', 'ignored', 'system', 'system'],
    ]);
    expect(columns.ignored).toEqual(['Create Date', 'Record ID']);
    expect(uses(columnsOf({ key: 'id' }), ['ID', 'Archived'])).toEqual(['id', 'archived']);
  });

  it('are refused where they may be for two fields, of which the exact internal name is one [contract 7]', () => {
    const fields = [...STANDARD_FIELDS.contacts, custom('mail_2', 'Email')];
    expect(uses(columnsOf({ fields }), ['email'])).toEqual(['email']);
    const ambiguous = 'The column Email may be email or mail_2: say which with --map';
    for (const ignoreUnknown of [false, true])
      expect(messages(() => columnsOf({ fields, ignoreUnknown }).resolve(['email', 'Email']))).toEqual([
        ambiguous,
      ]);
    const map = new Map([['Email', 'mail_2']]);
    expect(uses(columnsOf({ fields, map }), ['email', 'Email'])).toEqual(['email', 'mail_2']);
  });

  it('are mapped as --map has them, exactly or as headings are compared [contract 7]', () => {
    const map = new Map([
      ['e-mail', 'E-Mail'],
      ['E-mail', ''],
      ['Vorname', 'First name'],
      ['Firma.ID', 'Company.External ID'],
    ]);
    expect(uses(columnsOf({ map }), ['E-MAIL', 'E-mail', 'VORNAME', 'Firma ID'])).toEqual([
      ...['email', 'ignored', 'first_name', 'company'],
    ]);
    const alike = new Map([
      ['e-mail', 'email'],
      ['E_Mail', 'phone'],
    ]);
    expect(uses(columnsOf({ map: alike }), ['E Mail'])).toEqual(['email']);
    expect(messages(() => columnsOf({ map: new Map([['A', 'emial']]) }))).toEqual([
      'Unknown field: --map A=emial (did you mean email?)',
    ]);
  });

  it('are all wrong at once, and unknown ones are ignored where that is wanted [contract 7]', () => {
    const headings = ['emial', 'Phone', 'phone', 'Notes'];
    expect(messages(() => columnsOf().resolve(headings))).toEqual([
      'Unknown column: emial (did you mean email?)',
      'Two columns are for phone',
      'Unknown column: Notes',
      'There is no column for the key email',
    ]);
    const columns = columnsOf({ ignoreUnknown: true });
    expect(uses(columns, ['email', 'Notes', ''])).toEqual(['email', 'unknown', 'ignored']);
    expect(columns.ignored).toEqual(['Notes']);
  });

  it('name records by a key of theirs [contract 7]', () => {
    const columns = columnsOf();
    const read = (heading: string, cell: string): unknown => {
      const use = columns.use(heading);
      return typeof use === 'object' ? use.cell(cell) : use;
    };
    expect(read('company.external_id', ' C-1\u00a0')).toEqual({ external_id: 'C-1' });
    expect(read('Company.Website URL', 'x.test')).toEqual({ website_url: 'x.test' });
    expect(read('company.id', ' x ')).toBe('x');
    expect(read('company', ' {"external_id": "C-1"} ')).toEqual({ external_id: 'C-1' });
    expect(read('company', ' {"external_id": ')).toBe('{"external_id":');
    for (const heading of ['company.email', 'email.id', 'company.company.id', '.'.repeat(100_000)])
      expect(columns.use(heading)).toBe('unknown');
  });

  it('may be missing for fields that are the same in all rows [contract 7]', () => {
    const constants = new Map([
      ['Pipeline', 'default'],
      ['company.external_id', 'C-1'],
      ['amount', '1.000,50'],
    ]);
    const columns = columnsOf({ constants, cells: { decimal: ',' } }, 'deals');
    expect(rowValues([], columns)).toMatchObject({
      fields: { pipeline: 'default', company: { external_id: 'C-1' }, amount: '1000.50' },
    });
    expect(messages(() => columns.resolve(['external_id', 'Pipeline']))).toEqual([
      'The column Pipeline is for pipeline, and --set, too (--map "Pipeline=" ignores it)',
    ]);
    const wrong = new Map([['pipline', 'x']]);
    expect(messages(() => columnsOf({ constants: wrong }, 'deals'))).toEqual([
      'Unknown field: --set pipline (did you mean pipeline?)',
    ]);
    const unread = new Map([['amount', '1,2,3']]);
    expect(messages(() => columnsOf({ constants: unread, cells: { decimal: '.' } }, 'deals'))).toEqual([
      '--set: amount must be a number such as 1,234.50 (--decimal .)',
    ]);
  });

  it('of a product are known, and give way to other columns for a field [contract 7]', () => {
    const preset = presetOf('hubspot', 'contacts');
    const columns = columnsOf({ preset, ignoreUnknown: true });
    const headings = ['Record ID', 'Email', 'Work email', 'Associated Company', 'Associated Company IDs'];
    expect(
      uses(columns, [...headings, 'Associated Company IDs (Primary)', 'Create Date', 'Company Name']),
    ).toEqual([
      ...['external_id', 'email', 'ignored', 'ignored', 'ignored', 'company', 'system', 'company_name'],
    ]);
  });

  it.each(['hubspot', 'pipedrive', 'salesforce', 'zoho'] as const)(
    'of %s name fields that there are [contract 7]',
    (product) => {
      const types = ['contacts', 'companies', 'deals', 'tickets'] as const;
      const unknown = types.map((objectType) => {
        const names = [...presetOf(product, objectType).values()].filter((name) => name !== '');
        return names.filter((name) => columnsOf({}, objectType).use(name) === 'unknown');
      });
      // What a preset has for all types, some types may not have.
      const ofAll = [...presetOf(product, 'all').values()];
      expect(unknown.flat().filter((name) => !ofAll.includes(name))).toEqual([]);
      const known = types.map((objectType) => columnsOf({}, objectType));
      expect(
        ofAll.filter((name) => name !== '' && known.every((each) => each.use(name) === 'unknown')),
      ).toEqual([]);
    },
  );
});

describe('The values of a row', () => {
  const value = (type: string, cell: string, rules = {}): unknown => {
    const columns = columnsOf({ fields: [custom('x', 'X', type)], key: 'x', cells: rules });
    const use = columns.use('x') as Exclude<RowValue[0], string>;
    const read = rowValues([[use, use.cell(cell)]], columns);
    return 'unread' in read ? read.unread : (read as { fields: Record<string, unknown> }).fields['x'];
  };

  it.each([
    ['bool', ' TRUE ', true],
    ['number', ' 65\u00a0', '65'],
    ['number', '\u200b65', '65'],
    ['number', '1,5', [{ field: 'x', message: expect.stringContaining('--decimal reads groups') }]],
    [
      'datetime',
      '26/10/2019',
      [{ field: 'x', message: expect.stringContaining('--date-format reads others') }],
    ],
    ['bool', 'WAHR', true],
    ['bool', 'Faux', false],
    ['datetime', ' 2024-01-15 ', '2024-01-15'],
    ['enumeration', '\u00a01 ', '1'],
    ['user', ' a@x.test ', 'a@x.test'],
    ['string', ' a ', ' a '],
    ['bool', 'maybe', [{ field: 'x', message: 'x must be TRUE or FALSE, yes or no, on or off, 1 or 0' }]],
  ])('of a %s column are what %j says: %j [contract 7]', (type, cell, expected) =>
    expect(value(type, cell)).toEqual(expected),
  );

  it('say that a record is archived in the words of booleans [contract 7]', () => {
    const columns = columnsOf();
    const archived = (text: unknown): boolean => 'problem' in rowValues([['archived', text]], columns);
    expect(['', ' ', 'FALSE', 'no', '0', false, null].map(archived)).not.toContain(true);
    expect(['TRUE', '2026-01-01T00:00:00.000Z', true, 'x'].map(archived)).not.toContain(false);
  });

  it('of JSON stay what they are, but for names of options that look like numbers [contract 7]', () => {
    const of = (type: string, json: unknown): unknown => {
      const use = columnsOf({ fields: [custom('x', 'X', type)], key: 'x' }).use('x') as Exclude<
        RowValue[0],
        string
      >;
      return use.json(json);
    };
    expect([of('bool', 'TRUE'), of('number', ' 1'), of('enumeration', 1), of('enumeration', null)]).toEqual([
      ...['TRUE', ' 1', '1', null],
    ]);
  });
});

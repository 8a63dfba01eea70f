import { configurationOf } from '../../../test/units/configuration.js';
import type { Database } from '../../database/index.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../../fields/index.js';
import { parseSettings } from '../../settings/settings.js';
import { LongNumber } from '../../text/long-number.js';
import { RecordValidator } from '../record-validator.js';
import type { RecordName } from '../record-key.js';
import type { RecordsRepository } from '../records.repository.js';
import { ReferenceResolver } from './reference-resolver.js';

const ACME = { accountId: 'acme' };
const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const configuration = configurationOf();
const database = { for: () => database } as unknown as Database;

let asked: RecordName[][];
let found: Map<string, string>;
let resolver: ReferenceResolver;

beforeEach(() => {
  asked = [];
  found = new Map();
  const targets = {
    findIds: (_db: unknown, _account: unknown, sought: readonly RecordName[]) => {
      asked.push(sought.map(({ objectType, by, name }) => ({ objectType, by, name })));
      return Promise.resolve(sought.map(({ name }) => found.get(name)));
    },
  };
  resolver = new ReferenceResolver(
    database,
    targets as unknown as RecordsRepository,
    new RecordValidator(new FieldTypeRegistry(BUILT_IN_FIELD_TYPES), parseSettings({})),
  );
});

const resolve = (...fields: unknown[]) =>
  resolver.resolve(ACME, configuration, { objectType: 'deals', fields });
const company = (property: string, value: unknown) => ({ objectType: 'companies' as const, property, value });

describe('the records that references name', () => {
  it('are not looked for where a write names none [contract 7]', async () => {
    const nothing = [{}, { deal_name: 'x' }, { company: null, contact: '' }, { company: 5 }, { company: {} }];
    const values = ['x', null, [ID], 3, { company: 'no id' }, { company: { external_id: '' } }];
    const find = await resolve(...nothing, ...values);
    expect(asked).toEqual([]);
    expect(find(company('id', ID))).toBeUndefined();
  });

  it('of many writes are found together, as their keys are stored [contract 7]', async () => {
    const long = new LongNumber('12345678901234567890');
    found = new Map([
      [ID, ID],
      ['x.example', 'one'],
      ['12345678901234567890', 'two'],
    ]);
    const find = await resolve(
      { company: ID, contact: { email: 'ADA@x.example' } },
      { company: { website_url: 'https://www.X.example/a' } },
      { company: { external_id: long } },
    );
    expect(asked).toEqual([
      [
        { objectType: 'companies', by: 'id', name: ID },
        { objectType: 'contacts', by: 'unique_key', name: 'ada@x.example' },
        { objectType: 'companies', by: 'unique_key', name: 'x.example' },
        { objectType: 'companies', by: 'external_id', name: '12345678901234567890' },
      ],
    ]);
    expect(find(company('id', ID))).toEqual({ ok: true, value: ID });
    expect(find(company('website_url', 'https://www.X.example/a'))).toEqual({ ok: true, value: 'one' });
    expect(find(company('external_id', long))).toEqual({ ok: true, value: 'two' });
    expect(find({ objectType: 'contacts', property: 'email', value: 'ADA@x.example' })).toBeUndefined();
    expect(find({ objectType: 'contacts', property: 'id', value: ID })).toBeUndefined();
  });

  it('are told by why a key is none, which is not looked for [contract 7]', async () => {
    const list = ['x'];
    found = new Map([['x', 'one']]);
    const find = await resolve({ company: { external_id: list }, contact: { external_id: 'x' } });
    expect(find(company('external_id', list))).toEqual({
      ok: false,
      message: 'external_id must be a string, a number or a boolean',
    });
    expect(asked).toEqual([[{ objectType: 'contacts', by: 'external_id', name: 'x' }]]);
  });
});

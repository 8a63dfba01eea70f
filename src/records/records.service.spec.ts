import type { ClientContext } from '../auth/index.js';
import { configurationOf, FakeConfigurations, STANDARD } from '../../test/units/configuration.js';
import type { Database, Transaction } from '../database/index.js';
import { user } from '../../test/units/engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../fields/index.js';
import { cursorBehind } from '../paging/index.js';
import { parseSettings } from '../settings/settings.js';
import { RecordHooks, type RecordWrite } from './record-hooks.js';
import { RecordValidator } from './record-validator.js';
import { recordView, type RecordView } from './record-view.js';
import { RecordsRepository } from './records.repository.js';
import { RecordsService } from './records.service.js';
import type { StoredRecord } from './stored-record.js';
import { NO_REFERENCES } from '../../test/units/no-references.js';
import { storedContact } from '../../test/units/stored-contact.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const CLIENT: ClientContext = { accountId: 'acme', clientId: 'client', scopes: new Set() };
const database = { name: 'database', for: (): unknown => database } as unknown as Database;
const TX = { name: 'transaction' } as unknown as Transaction;

/** The table of records: notes what it is asked, and answers what the test says. */
class FakeRecords {
  readonly asked: [string, ...unknown[]][] = [];
  /** What inserts, updates and archives return, one after the other. */
  written: (StoredRecord | undefined)[] = [];
  /** The record that is stored. */
  present: StoredRecord | undefined;
  /** What `findView` finds. */
  view: RecordView | undefined;
  /** Whether rows follow those that a list returns. */
  more = false;

  insert(...[, , values]: Parameters<RecordsRepository['insert']>): Promise<StoredRecord | undefined> {
    return this.write('insert', values);
  }
  update(...[, , values]: Parameters<RecordsRepository['update']>): Promise<StoredRecord | undefined> {
    return this.write('update', values);
  }
  archive(...[, , values]: Parameters<RecordsRepository['archive']>): Promise<StoredRecord | undefined> {
    return this.write('archive', values);
  }
  find(...[, , key]: Parameters<RecordsRepository['find']>): Promise<StoredRecord | undefined> {
    this.asked.push(['find', key]);
    return Promise.resolve(this.present);
  }
  findView(...[, , asked]: Parameters<RecordsRepository['findView']>): Promise<RecordView | undefined> {
    this.asked.push(['findView', asked]);
    return Promise.resolve(this.view);
  }
  lock(...[tx, , key]: Parameters<RecordsRepository['lock']>): Promise<StoredRecord | undefined> {
    expect(tx).toBe(TX);
    this.asked.push(['lock', key]);
    return Promise.resolve(this.written.shift());
  }
  list(...[, , request]: Parameters<RecordsRepository['list']>): Promise<object> {
    this.asked.push(['list', request]);
    const parts = [`{"id":"a","city":"Paris"},{"id":"${ID}"}`];
    return Promise.resolve({ parts, last: ID, count: 9, more: this.more });
  }
  get names(): string[] {
    return this.asked.map(([name]) => name);
  }
  private write(name: string, values: unknown): Promise<StoredRecord | undefined> {
    this.asked.push([name, values]);
    return Promise.resolve(this.written.shift());
  }
}

let records: FakeRecords;
let configurations: FakeConfigurations;
let hooks: RecordHooks;
let service: RecordsService;

beforeEach(() => {
  records = new FakeRecords();
  configurations = new FakeConfigurations(configurationOf({ users: [user('ada')] }));
  hooks = new RecordHooks(database, records as unknown as RecordsRepository);
  service = new RecordsService(
    database,
    records as unknown as RecordsRepository,
    configurations.cache,
    new RecordValidator(new FieldTypeRegistry(BUILT_IN_FIELD_TYPES), parseSettings({ RECORD_LIMIT: '1kb' })),
    hooks,
    NO_REFERENCES,
  );
});

const contacts = 'contacts' as const;
const FIRST = { limit: 10, offset: 0, archived: false };
const limit = { bytes: 1024, apart: [] };
const LONG = 'x'.repeat(1024);
const TOO_LARGE = 'city would make the fields of this record larger than 1024 bytes together';
const refusal = async (work: Promise<unknown>): Promise<[number, string]> => {
  const error = await work.then(() => undefined, (caught: unknown) => caught); // prettier-ignore
  const { status, message } = error as { status: number; message: string };
  return [status, message];
};

/** Keeps the writes that hooks are told of. */
function watch(): RecordWrite[] {
  const writes: RecordWrite[] = [];
  hooks.register({
    onWrite: (write) => {
      writes.push(write);
      return undefined;
    },
  });
  return writes;
}

describe('a create', () => {
  it('stores what validation made of the fields, and shows the record [2.4, 2.6, 4.3]', async () => {
    records.written = [storedContact(ID, { first_name: 'Ada', city: 'Paris' })];
    const writes = watch();
    const fields = { first_name: ' Ada', contact_owner: 'ADA@acme.test', city: null };
    const view = await service.create(CLIENT, { objectType: contacts, fields }, { properties: ['city'] });
    expect(view).toMatchObject({ id: ID, first_name: 'Ada', city: 'Paris' });
    const [write] = writes;
    expect(records.asked).toEqual([
      [
        'insert',
        { objectType: contacts, version: '1', changes: write?.changes, owners: ['contact_owner'], limit },
      ],
    ]);
    expect(write).toMatchObject({ action: 'create', client: CLIENT, objectType: contacts, id: null });
    expect(write?.changes.get('contact_owner')).toBe('ada@acme.test');
    expect(write?.configuration).toBe(configurations.current);
  });

  it('shows no more than the default fields unless asked [2.3]', async () => {
    records.written = [storedContact(ID, { city: 'Paris' })];
    const view = await service.create(CLIENT, { objectType: contacts, fields: { city: 'Paris', email: 'a@x.test' } });
    expect(view).not.toHaveProperty('city');
  }); // prettier-ignore

  it('requires the fields of a create [2.7]', async () => {
    const work = service.create(CLIENT, { objectType: contacts, fields: { city: 'Paris' } });
    expect(await refusal(work)).toEqual([400, 'At least one of email, first_name, last_name is required']);
    expect(records.asked).toEqual([]);
  });

  it('is not written where the record is too large; long fields do not count [contract 3]', async () => {
    const writes = watch();
    const create = (fields: object): Promise<unknown> =>
      service.create(CLIENT, { objectType: contacts, fields });
    expect(await refusal(create({ email: 'a@x.test', city: LONG }))).toEqual([400, TOO_LARGE]);
    expect([records.asked, writes]).toEqual([[], []]);
    const notes = { ...STANDARD[0]!, internalName: 'notes', standard: false, long: true };
    configurations.current = configurationOf({ version: '2', fields: [notes] });
    records.written = [storedContact(ID)];
    expect(await create({ email: 'a@x.test', notes: LONG })).toMatchObject({ id: ID });
    expect(records.asked).toMatchObject([['insert', { limit: { bytes: 1024, apart: ['notes'] } }]]);
  });

  it('is validated and written again where the configuration has changed [contract 3]', async () => {
    records.written = [undefined, storedContact(ID)];
    const first = configurations.current;
    const creating = service.create(CLIENT, { objectType: contacts, fields: { email: 'a@x.test' } });
    configurations.current = configurationOf({ version: '2' });
    expect(await creating).toMatchObject({ id: ID });
    expect(first?.version).toBe('1');
    expect(records.asked).toMatchObject([
      ['insert', { version: '1' }],
      ['insert', { version: '2' }],
    ]);
  });
});

describe('properties that do not exist', () => {
  const properties = ['city', 'nope', '', 'x'.repeat(300)];

  it.each([
    ['get', () => service.get(CLIENT, { objectType: contacts, id: 'no id' }, { properties }), []],
    ['list', () => service.list(CLIENT, contacts, { properties, limit: 1, offset: 0, archived: false }), []],
    ['create', () => service.create(CLIENT, { objectType: contacts, fields: { nope: 1 } }, { properties }), ['nope', undefined]],
    ['update', () => service.update(CLIENT, { objectType: contacts, id: 'no id', fields: { nope: 1 } }, { properties }), ['nope']],
  ] as const)('are refused by %s, each of them, with all fields that fail [2.3, 2.9, contract 1]', async (_, run, fields) => {
    await expect(run()).rejects.toMatchObject({
      status: 400,
      details: {
        errors: [
          { field: 'properties', message: 'Invalid property: nope' },
          { field: 'properties', message: 'properties has an empty name' },
          { field: 'properties', message: expect.stringMatching(/^Invalid property: x{20,200}…?$/) },
          ...fields.map((field) => (field === undefined ? { message: expect.any(String) } : { field, message: `Unknown field: ${field}` })),
        ],
      },
    });
    expect(records.asked).toEqual([]);
  }); // prettier-ignore
});

describe('a read', () => {
  it('shows the record with the properties asked for, those of every view apart [2.3, 4.2]', async () => {
    records.view = { id: ID, city: 'Paris' };
    const properties = ['email', 'city', 'id'];
    const view = await service.get(CLIENT, { objectType: contacts, id: ID }, { properties });
    expect(view).toEqual({ id: ID, city: 'Paris' });
    const asked = { objectType: contacts, id: ID, extras: ['city'], userFields: ['contact_owner'] };
    expect(records.asked).toEqual([['findView', asked]]);
  });

  it('needs no configuration without properties', async () => {
    records.view = {};
    await service.get(CLIENT, { objectType: contacts, id: ID });
    await service.list(CLIENT, contacts, { limit: 1, offset: 0, archived: false });
    expect(configurations.loads).toBe(0);
  });

  it.each([
    ['contacts', 'Contact not found'],
    ['companies', 'Company not found'],
  ] as const)(
    'of %s answers 404, without a question for what is no id [5.3]',
    async (objectType, message) => {
      expect(await refusal(service.get(CLIENT, { objectType, id: ID }))).toEqual([404, message]);
      expect(records.names).toEqual(['findView']);
      expect(await refusal(service.get(CLIENT, { objectType, id: 'x' }))).toEqual([404, message]);
      expect(records.names).toEqual(['findView']);
    },
  );
});

describe('a list', () => {
  it('is the page that was asked for, each record with the properties [2.3, contract 3]', async () => {
    const request = { limit: 2, offset: 4, archived: true };
    const page = await service.list(CLIENT, contacts, { ...request, properties: ['city'] });
    expect(page.data).toEqual([{ id: 'a', city: 'Paris' }, { id: ID }]);
    expect(page.pagination).toEqual({ limit: 2, offset: 4, count: 9, next: null });
    expect(records.asked).toMatchObject([
      ['list', { objectType: contacts, ...request, behind: undefined, extras: ['city'] }],
    ]);
  });

  it('shows each property once, and none that every view has anyway [2.3]', async () => {
    const properties = ['record_id', 'email', 'create_date', 'contact_owner_assigned_date', 'id'];
    await service.list(CLIENT, contacts, { ...FIRST, properties });
    const [[, asked]] = records.asked as [[string, { extras: string[]; bytesPerRow: number }]];
    expect(asked.extras).toEqual(['record_id', 'create_date', 'contact_owner_assigned_date']);
    const at = new Date(0);
    const row = storedContact(ID, {}, { archived_at: at, archived_by: ID });
    expect(asked.bytesPerRow).toBe(JSON.stringify(recordView(row, properties.slice(0, -1))).length);
  });

  it('has a next where rows follow, which leads behind its last row [contract 3]', async () => {
    records.more = true;
    const { next } = (await service.list(CLIENT, contacts, FIRST)).pagination;
    expect(next).toBe(cursorBehind(ID));
    await service.list(CLIENT, contacts, { ...FIRST, after: next! });
    expect(records.asked).toMatchObject([
      ['list', { behind: undefined }],
      ['list', { behind: ID, offset: 0 }],
    ]);
  });

  it.each([
    [{ after: 'x' }, 'after must be the next of another page of this list'],
    [{ after: cursorBehind(ID), offset: 1 }, 'after cannot be sent together with an offset'],
  ])('is refused with %j [contract 3]', async (request, message) => {
    expect(await refusal(service.list(CLIENT, contacts, { ...FIRST, ...request }))).toEqual([400, message]);
    expect(records.asked).toEqual([]);
  });
});

describe('an update', () => {
  const update = (fields: unknown, id = ID): Promise<unknown> =>
    service.update(CLIENT, { objectType: contacts, id, fields });

  it('stores what validation made of the fields, and shows the record [2.4, 4.4]', async () => {
    records.written = [storedContact(ID, { first_name: 'Ada' })];
    const writes = watch();
    expect(await update({ contact_owner: null, city: 'Paris' })).toMatchObject({ first_name: 'Ada' });
    const changes = new Map([['contact_owner', null], ['city', 'Paris']]); // prettier-ignore
    expect(records.asked).toEqual([
      ['update', { objectType: contacts, id: ID, version: '1', changes, owners: ['contact_owner'], limit }],
    ]);
    expect(writes).toEqual([
      { action: 'update', client: CLIENT, objectType: contacts, id: ID, changes, configuration: configurations.current },
    ]);
  }); // prettier-ignore

  it('shows the properties asked for [2.3]', async () => {
    records.written = [storedContact(ID, { city: 'Paris' })];
    const of = { objectType: contacts, id: ID, fields: {} };
    expect(await service.update(CLIENT, of, { properties: ['city'] })).toMatchObject({ city: 'Paris' });
  });

  it('names failing fields before it says that there is no such record [2.9]', async () => {
    expect(await refusal(update({ nope: 'x' }, 'no id'))).toEqual([400, 'Unknown field: nope']);
    expect(await refusal(update({ city: 'x' }, 'no id'))).toEqual([404, 'Contact not found']);
    expect(records.asked).toEqual([]);
  });

  it('of no record answers 404 [4.4]', async () => {
    expect(await refusal(update({ city: 'x' }))).toEqual([404, 'Contact not found']);
  });

  it('of an archived record answers 409 [4.4]', async () => {
    records.present = storedContact(ID, {}, { archived_at: new Date(0) });
    expect(await refusal(update({ city: 'x' }))).toEqual([
      409,
      'This contact is archived and cannot be changed',
    ]);
    expect(records.names).toEqual(['update', 'find']);
  });

  it('that would make the record too large is refused [contract 3]', async () => {
    records.present = storedContact(ID, { state: 'x'.repeat(600) });
    expect(await refusal(update({ city: 'x'.repeat(600), country: 'y' }))).toEqual([400, TOO_LARGE]);
    expect(records.names).toEqual(['update', 'find']);
  });

  it('is done again where the record was too large and is not by now [contract 3]', async () => {
    records.present = storedContact(ID, { state: 'x' });
    records.written = [undefined, storedContact(ID, { city: 'x' })];
    expect(await update({ city: 'x'.repeat(600) })).toMatchObject({ id: ID });
    expect(records.names).toEqual(['update', 'find', 'update']);
  });

  it('is done again where the configuration has changed, which left an active record as it was', async () => {
    records.present = storedContact(ID);
    records.written = [undefined, storedContact(ID, { city: 'x' })];
    expect(await update({ city: 'x' })).toMatchObject({ id: ID });
    expect(records.names).toEqual(['update', 'find', 'update']);
  });
});

describe('an archive', () => {
  it('says who archives, and shows the record [2.1, 4.4]', async () => {
    records.written = [storedContact(ID, {}, { archived_at: new Date(0), archived_by: 'client' })];
    const writes = watch();
    const view = await service.archive(CLIENT, { objectType: contacts, id: ID });
    expect(view).toMatchObject({ archived: '1970-01-01T00:00:00.000Z', archived_by: 'client' });
    expect(records.asked).toEqual([['archive', { objectType: contacts, id: ID, archivedBy: 'client' }]]);
    expect(writes).toMatchObject([{ action: 'archive', id: ID, changes: new Map() }]);
  });

  it('of no active record answers 404, without a question for what is no id [4.4]', async () => {
    const archive = (id: string): Promise<unknown> => service.archive(CLIENT, { objectType: 'deals', id });
    expect(await refusal(archive(ID))).toEqual([404, 'Deal not found']);
    expect(await refusal(archive('x'))).toEqual([404, 'Deal not found']);
    expect(records.names).toEqual(['archive']);
  });
});

describe('a record that a host locks', () => {
  const lock = (id = ID): Promise<StoredRecord> => service.lock(TX, CLIENT, { objectType: contacts, id });

  it('is the active record, in the transaction of the host', async () => {
    records.written = [storedContact(ID)];
    expect(await lock()).toEqual(storedContact(ID));
    expect(records.asked).toEqual([['lock', { objectType: contacts, id: ID }]]);
  });

  it('is not found, also where its id cannot exist [5.3]', async () => {
    expect(await refusal(lock())).toEqual([404, 'Contact not found']);
    expect(records.names).toEqual(['lock', 'find']);
    expect(await refusal(lock('x'))).toEqual([404, 'Contact not found']);
    expect(records.names).toEqual(['lock', 'find']);
  });

  it('is refused where it is archived [4.4]', async () => {
    records.present = storedContact(ID, {}, { archived_at: new Date(0) });
    expect(await refusal(lock())).toEqual([409, 'This contact is archived and cannot be changed']);
  });
});

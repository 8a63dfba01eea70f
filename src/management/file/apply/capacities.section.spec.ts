import type { CapacitiesRepository, CapacityDto } from '../../../capacities/index.js';
import type { DirectoryRepository } from '../../../directory/index.js';
import { user } from '../../../engine/testing/fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry, type FieldsRepository } from '../../../fields/index.js';
import { done, newRun, refused, TX } from '../../testing/apply.js';
import { capacity, configurationOf, STANDARD, team } from '../../../configuration/testing/configuration.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { CapacitiesEditor } from '../../capacities/capacities.editor.js';
import { CapacitiesSection } from './capacities.section.js';

const { directory } = configurationOf({ users: [user('ada')], teams: [team('Sales', 'ada')] });
const LEADS = capacity('Leads', {
  users: [{ userId: 'id-ada', max: 3 }],
  teams: [{ teamId: 'id-team-Sales', max: 5 }],
});

/** One capacity: notes what is written. */
class FakeCapacities {
  readonly written: unknown[] = [];

  list(tx: unknown): Promise<unknown[]> {
    expect(tx).toBe(TX);
    return Promise.resolve([LEADS]);
  }
  insert(...[, , { id: _, name, ...values }]: Parameters<CapacitiesRepository['insert']>): Promise<void> {
    this.written.push(['insert', name, values]);
    return Promise.resolve();
  }
  update(...[, , { id, name: _, ...values }]: Parameters<CapacitiesRepository['update']>): Promise<void> {
    this.written.push(['update', id, values]);
    return Promise.resolve();
  }
}

let capacities: FakeCapacities;
beforeEach(() => (capacities = new FakeCapacities()));

const dto = (values: Partial<CapacityDto> = {}): CapacityDto => ({
  name: 'Leads',
  object_type: 'contacts',
  field: 'lifecycle_stage',
  values: ['lead'],
  ...values,
});
const apply = async (...dtos: CapacityDto[]): Promise<ConfigurationChange> => {
  const run = newRun();
  const repository = capacities as unknown as CapacitiesRepository;
  const editor = new CapacitiesEditor(
    repository,
    { list: () => Promise.resolve(STANDARD) } as unknown as FieldsRepository,
    new FieldTypeRegistry(BUILT_IN_FIELD_TYPES),
    { load: () => Promise.resolve(directory) } as unknown as DirectoryRepository,
  );
  await new CapacitiesSection(repository, editor).apply(run, {
    slug: 'acme',
    ...(dtos.length === 0 ? {} : { capacities: dtos }),
  });
  return run;
};
const ada = (max: number) => [{ email: 'ada@acme.test', max }];

describe('the capacities of a file', () => {
  it('are created, with values as records store them, for users and teams by id [contract 5]', async () => {
    const wanted = dto({ name: 'New', values: ['LEAD'], users: ada(1), teams: [{ name: 'Sales', max: 2 }] });
    expect(done(await apply(wanted))).toEqual(['create capacity New']);
    expect(capacities.written).toEqual([
      [
        'insert',
        'New',
        {
          objectType: 'contacts',
          field: 'lifecycle_stage',
          values: ['lead'],
          users: [{ userId: 'id-ada', max: 1 }],
          teams: [{ teamId: 'id-team-Sales', max: 2 }],
        },
      ],
    ]);
  });

  it('cap nobody where they name nobody [contract 5]', async () => {
    await apply(dto({ name: 'New' }));
    expect(capacities.written).toMatchObject([['insert', 'New', { users: [], teams: [] }]]);
  });

  it('are changed where they differ; a list that is left out stays as it is [contract 5]', async () => {
    expect(done(await apply(dto({ users: ada(9) })))).toEqual(['update capacity Leads (users)']);
    const { objectType, field, values, teams } = LEADS;
    const wanted = { objectType, field, values, users: [{ userId: 'id-ada', max: 9 }], teams };
    expect(capacities.written).toEqual([['update', LEADS.id, wanted]]);
    expect(done(await apply(dto({ teams: [] })))).toEqual(['update capacity Leads (teams)']);
    expect(capacities.written[1]).toMatchObject(['update', LEADS.id, { users: LEADS.users, teams: [] }]);
  });

  it('stay as they are where they are so already, or are not mentioned [contract 5]', async () => {
    expect((await apply(dto(), dto({ users: ada(3) }))).changes).toEqual([]);
    expect((await apply()).changes).toEqual([]);
    expect(capacities.written).toEqual([]);
  });

  it.each([
    [{ field: 'nope' }, ['field: Unknown field of contacts: nope']],
    [{ field: 'city', values: ['', 'Paris'] }, ['values[0]: a value must not be empty']],
    [{ users: [...ada(1), { email: 'gone@acme.test', max: 1 }] }, ['users[1].email: gone@acme.test is not a user of the account']],
    [{ teams: [{ name: 'Gone', max: 1 }] }, ['teams[0].name: Gone is not a team of the account']],
  ])('are refused as %j [contract 5]', async (values, messages) => {
    const run = await apply(dto({ name: 'First' }), dto(values), dto({ name: 'Last' }));
    expect(refused(run)).toEqual(messages.map((message) => `capacities[1].${message}`));
    expect(done(run)).toEqual(['create capacity First', 'create capacity Last']);
  }); // prettier-ignore

  it('are refused with every value that is none of the field [contract 5]', async () => {
    const run = await apply(dto({ values: ['nope', 'lead', 7] }));
    expect(run.errors.map(({ field }) => field)).toEqual([
      'accounts[0].capacities[0].values[0]',
      'accounts[0].capacities[0].values[2]',
    ]);
    expect(run.errors.every(({ message }) => !message.includes('empty'))).toBe(true);
    expect(capacities.written).toEqual([]);
  });
});

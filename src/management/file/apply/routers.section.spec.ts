import { routerOf, stored } from '../../../configuration/testing/configuration.js';
import type { RouterDto } from '../../../routers/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { done, newRun, refused } from '../../testing/apply.js';
import { FakeRouters } from '../../testing/routers.js';
import { RoutersSection } from './routers.section.js';

let routers: FakeRouters;
beforeEach(() => {
  const settings = stored({ overwrite: true });
  routers = new FakeRouters([routerOf('R', ['ada'], { name: 'Inbound', settings })]);
});

const apply = async (...dtos: RouterDto[]): Promise<ConfigurationChange> => {
  const run = newRun();
  const section = new RoutersSection(routers.repository, routers.contents, routers.editor);
  await section.apply(run, { slug: 'acme', ...(dtos.length === 0 ? {} : { routers: dtos }) });
  return run;
};
const inbound = (values: Partial<RouterDto> = {}): RouterDto => ({ name: 'Inbound', ...values });

describe('a new router of a file', () => {
  it('is created with its pool by id and every default of its settings [contract 5]', async () => {
    const run = await apply({
      name: 'New',
      object_type: 'contacts',
      published: true,
      settings: { rotation_type: 'teams' },
      users: [{ email: 'bob@acme.test' }],
      teams: [{ name: 'Sales' }],
    });
    expect(done(run)).toEqual(['create router New']);
    expect(routers.written).toEqual([
      [
        'insert',
        {
          name: 'New',
          objectType: 'contacts',
          published: true,
          version: 1,
          settings: stored({ rotationType: 'teams' }),
          users: [{ userId: 'id-bob' }],
          teams: [{ teamId: 'id-team-Sales' }],
        },
      ],
    ]);
    const by = { kind: 'command', id: null, name: 'apply' };
    expect(routers.versions).toMatchObject([
      { version: 1, name: 'New', users: [{ userId: 'id-bob' }], publishedBy: by, note: null },
    ]);
  });

  it('has shares where its model takes them [contract 5]', async () => {
    await apply({
      name: 'New',
      object_type: 'contacts',
      settings: { distribution_model: 'percentage' },
      users: [
        { email: 'ada@acme.test', percentage: 40 },
        { email: 'bob@acme.test', percentage: 60 },
      ],
    });
    expect(routers.written).toMatchObject([
      ['insert', { users: [{ userId: 'id-ada', percentage: 40 }, { userId: 'id-bob', percentage: 60 }], teams: [] }],
    ]);
  }); // prettier-ignore

  it.each([
    [{}, ['routers[0].users: users and teams list nobody: leave them out for a router without a pool']],
    [
      undefined,
      ['routers[0].users: users and teams list nobody: leave them out for a router without a pool'],
    ],
    [null, []],
  ])(
    'cannot list nobody, unless it has no settings: %j [contract 4, contract 5]',
    async (settings, problems) => {
      const given = settings === undefined ? {} : { settings };
      const run = await apply({ name: 'New', object_type: 'contacts', users: [], teams: [], ...given });
      expect(refused(run)).toEqual(problems);
    },
  );

  it.each([undefined, null])('has no settings where the file gives it %s [contract 5]', async (settings) => {
    await apply({ name: 'New', object_type: 'deals', ...(settings === undefined ? {} : { settings }) });
    expect(routers.written).toMatchObject([['insert', { objectType: 'deals', settings: null, users: [] }]]);
  });

  it('needs a type [contract 5]', async () => {
    const run = await apply({ name: 'New' }, inbound({ published: false }));
    expect(refused(run)).toEqual(['routers[0].object_type: object_type is required for a new router']);
    expect(done(run)).toEqual(['update router Inbound (published)']);
  });
});

describe('a router that exists', () => {
  it('lets its rules keep their rotations, and changes nothing when it is applied again [contract 4]', async () => {
    const rules = (values: object) => inbound({ settings: { rules: [{ name: 'A', ...values }] } });
    const stored = () => (routers.written.at(-1) as any)[2].settings;
    routers.present = [routerOf('R', ['ada'], { name: 'Inbound', settings: { rules: [{ name: 'A' }] } })];
    await apply(rules({ id: 'r1' }));
    expect(stored().rules).toEqual([{ id: 'r1', name: 'A', rotation: 'rule:A' }]);
    routers.present = [routerOf('R', ['ada'], { name: 'Inbound', settings: stored() })];
    expect(done(await apply(rules({ id: 'r1' })))).toEqual([]);
    expect(done(await apply(inbound({ settings: { overwrite: true } })))).toEqual([
      'update router Inbound (settings,version)',
    ]);
    expect(stored().rules).toEqual([{ id: 'r1', name: 'A', rotation: 'rule:A' }]);
    await apply(rules({ id: 'r1', name: 'B' }));
    expect(stored().rules).toEqual([{ id: 'r1', name: 'B', rotation: 'rule:A' }]);
  });

  it('keeps the settings that the file does not mention [contract 5]', async () => {
    const run = await apply(inbound({ settings: { default_user: 'bob@acme.test' } }));
    expect(done(run)).toEqual(['update router Inbound (settings,version)']);
    expect(routers.written).toMatchObject([
      ['update', 'R', { settings: stored({ overwrite: true, defaultUser: 'bob@acme.test' }) }],
    ]);
  });

  it('keeps its pool, or each list that the file does not mention [contract 5]', async () => {
    await apply(inbound({ teams: [{ name: 'Sales' }] }));
    expect(routers.written).toMatchObject([
      ['update', 'R', { users: [{ userId: 'id-ada' }], teams: [{ teamId: 'id-team-Sales' }] }],
    ]);
    await apply(inbound({ users: [] }));
    expect(routers.written[1]).toMatchObject(['update', 'R', { users: [], teams: [] }]);
  });

  it('loses its settings where the file says so [contract 5]', async () => {
    expect(done(await apply(inbound({ settings: null })))).toEqual([
      'update router Inbound (settings,version)',
    ]);
    expect(routers.written).toMatchObject([['update', 'R', { settings: null }]]);
  });

  it.each([
    ['so already', inbound({ settings: { overwrite: true }, users: [{ email: 'ada@acme.test' }], object_type: 'contacts' })],
    ['only named', inbound()],
  ])('stays as it is where it is %s [contract 5]', async (_, dto) => {
    expect((await apply(dto)).changes).toEqual([]);
    expect(routers.written).toEqual([]);
  }); // prettier-ignore

  it('stays without settings where it never had any [contract 5]', async () => {
    routers.present = [routerOf('R', [], { name: 'Inbound', settings: null })];
    expect(done(await apply(inbound({ published: false })))).toEqual(['update router Inbound (published)']);
    expect(routers.written).toEqual([['update', 'R', { published: false }]]);
  });

  it('gets its first settings [contract 5]', async () => {
    routers.present = [routerOf('R', [], { name: 'Inbound', settings: null })];
    await apply(inbound({ settings: {} }));
    expect(routers.written).toMatchObject([['update', 'R', { settings: stored() }]]);
  });

  it('cannot change its type [contract 5]', async () => {
    const run = await apply(inbound({ object_type: 'deals' }));
    expect(refused(run)).toEqual([
      'routers[0].object_type: the object type of this router is contacts and cannot change',
    ]);
    expect(routers.written).toEqual([]);
  });
});

describe('a router that cannot be applied', () => {
  it('is refused with everybody whom its pool names in vain, and the others after it still looked at [contract 5]', async () => {
    const run = await apply(
      inbound({
        settings: { nope: 1 },
        users: [{ email: 'ada@acme.test' }, { email: 'gone@acme.test' }],
        teams: [{ name: 'Gone' }],
      }),
      { name: 'New', object_type: 'deals' },
    );
    expect(refused(run)).toEqual([
      'routers[0].users[1].email: gone@acme.test is not a user of the account',
      'routers[0].teams[0].name: Gone is not a team of the account',
      expect.stringMatching(/^routers\[0\]\.settings\.nope: /),
    ]);
    expect(done(run)).toEqual(['create router New']);
  });

  it('is refused with every setting that fails [contract 5]', async () => {
    const run = await apply(inbound({ settings: { nope: 1, overwrite: 'yes' } }));
    expect(run.errors.map(({ field }) => field).sort()).toEqual([
      'accounts[0].routers[0].settings.nope',
      'accounts[0].routers[0].settings.overwrite',
    ]);
    expect(routers.written).toEqual([]);
  });
});

describe('a file without routers', () => {
  it('changes none', async () => {
    expect((await apply()).changes).toEqual([]);
  });
});

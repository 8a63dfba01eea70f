import { configurationOf, routerOf, stored } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import type { VersionChoice } from '../../routers/index.js';
import { ACME } from '../../../test/units/decisions.js';
import { versionSnapshots } from '../../../test/units/version-snapshots.js';

const configured = configurationOf({
  users: [user('ada'), user('bob')],
  routers: [
    routerOf('R', ['ada'], { published: false, version: 4 }),
    routerOf('S', ['ada'], { settings: stored({ reimburseWithinMinutes: 5 }) }),
  ],
});
const DRAFT = {
  name: 'New',
  settings: stored({ ownerField: 'contact_owner' }),
  users: [{ userId: 'id-bob' }],
};
const versions = versionSnapshots(
  new Map<VersionChoice, object>([
    ['draft', DRAFT],
    [2, { settings: stored({ defaultUser: 'gone@acme.test' }), users: [{ userId: 'id-gone' }] }],
  ]),
);
const get = (version?: VersionChoice, routerId = 'R') =>
  versions.get(ACME, configured, { routerId, version });

describe('the snapshot of a version', () => {
  it('is that of dispatches where it is the live one [contract 6]', async () => {
    const live = await get();
    expect(live).toBe(await get('live'));
    expect(live.compiled).toMatchObject({ published: false, plan: { settings: {} } });
    expect(live.routerVersion).toBeNull();
  });

  it('has the draft as if it were published, among the other routers as they are [contract 6]', async () => {
    const draft = await get('draft');
    expect(draft).toMatchObject({ id: 'R', name: 'New', compiled: { published: true } });
    expect([...draft.returning]).toEqual([['S', 5]]);
    expect((await get()).name).toBe('Router R');
  });

  it('is refused where the version could not be published any more, with every reason [contract 6]', async () => {
    await expect(get(2)).rejects.toMatchObject({
      status: 400,
      details: {
        errors: [
          { field: 'version', message: expect.stringContaining('users[0].email: ') },
          { field: 'version', message: expect.stringContaining('settings.default_user: gone@acme.test') },
        ],
      },
    });
  });

  it('is unknown where the router or the version is [contract 1, contract 6]', async () => {
    await expect(get(9)).rejects.toMatchObject({ status: 404, message: 'Version not found' });
    await expect(get('draft', 'T')).rejects.toMatchObject({ status: 404, message: 'Router not found' });
  });
});

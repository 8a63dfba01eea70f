import { configurationOf, routerOf, stored } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import type { RouterDraft, RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { newRun } from '../../../test/units/apply.js';
import { FakeRouters } from '../../../test/units/routers.js';

const { catalog, directory } = configurationOf({ users: [user('ada'), user('bob')] });

const draft = (values: Partial<RouterDraft> = {}): RouterDraft => ({
  name: 'Router R',
  settings: stored({ overwrite: true }),
  users: [{ userId: 'id-bob' }],
  teams: [],
  base: 1,
  updatedAt: '2026-06-10T12:00:00.000Z',
  ...values,
});

let store: FakeRouters;
let change: ConfigurationChange;
beforeEach(() => {
  store = new FakeRouters();
  change = newRun();
});

const edited = (values: Partial<RouterEntity> = {}, others: RouterEntity[] = []) => {
  const router = routerOf('R', ['ada'], { draft: null, ...values });
  store.present = [router, ...others];
  return { router, around: { catalog, directory, routers: store.present } };
};
const noted = () =>
  change.changes.map(({ action, values, hidden = false }) => [
    action,
    values.map(({ path }) => path).join(),
    hidden,
  ]);

describe('a publication', () => {
  it('makes the draft the next version, live in one row with its number [contract 6]', async () => {
    await store.publisher.publish(change, edited({ draft: draft() }), 'Why');
    const { base: _, updatedAt: __, ...content } = draft();
    expect(store.versions).toMatchObject([
      { ...content, routerId: 'R', version: 2, note: 'Why', publishedBy: { kind: 'command', name: 'apply' } },
    ]);
    const live = { published: true, version: 2, draft: null };
    expect(store.written).toEqual([['update', 'R', { ...content, ...live }]]);
    expect(noted()).toEqual([
      ['publish', 'settings.overwrite,users[ada@acme.test],users[bob@acme.test],version,note', false],
    ]);
  });

  it('writes nothing where there is nothing to publish [contract 6]', async () => {
    await store.publisher.publish(change, edited(), null);
    expect([store.written, store.versions, noted()]).toEqual([[], [], []]);
  });

  it('is refused for a stale draft, and a name that another draft has [contract 6]', async () => {
    const stale = edited({ draft: draft({ base: null }) });
    await expect(store.publisher.publish(change, stale, null)).rejects.toMatchObject({ code: 'conflict' });
    const other = routerOf('S', [], { name: 'Other', draft: draft({ name: 'Wanted' }) });
    const taken = edited({ draft: draft({ name: 'Wanted' }) }, [other]);
    await expect(store.publisher.publish(change, taken, null)).rejects.toMatchObject({
      code: 'duplicate',
      details: { field: 'name', existingId: 'S' },
    });
    expect([store.written, store.versions, noted()]).toEqual([[], [], []]);
  });

  it('is refused with every key that has become wrong, and writes nothing [contract 6]', async () => {
    const settings = stored({ defaultUser: 'gone@acme.test' });
    const broken = draft({ users: [{ userId: 'gone' }], teams: [{ teamId: 'gone' }], settings });
    await store.publisher.publish(change, edited({ draft: broken }), null);
    expect(change.errors.map(({ field }) => field?.replace('accounts[0].', ''))).toEqual([
      'users[0].email',
      'teams[0].name',
      'settings.default_user',
    ]);
    expect([store.written, store.versions, noted()]).toEqual([[], [], []]);
  });
});

describe('a roll-back', () => {
  it('keeps the draft and the stored rotations of the rules [contract 4, contract 6]', async () => {
    const settings = stored();
    settings['rules'] = [{ name: 'A', id: 'a', rotation_key: 'rule:Before' }];
    const then = { name: 'Before', settings, users: [], teams: [] };
    const published = { publishedAt: new Date(0), publishedBy: null, note: null };
    store.versions.push({ ...then, routerId: 'R', version: 1, ...published });
    const left = draft({ base: 2 });
    const waiting = edited({ version: 2, draft: left });
    await store.publisher.rollBack(change, waiting, 1);
    const content = then;
    expect(store.versions[1]).toMatchObject({ ...content, version: 3, note: 'Rolled back to version 1' });
    expect(store.written).toEqual([
      ['update', 'R', { ...content, published: true, version: 3, draft: left }],
    ]);
    await expect(store.publisher.rollBack(change, waiting, 7)).rejects.toMatchObject({ status: 404 });
  });
});

describe('a draft', () => {
  it('is hidden from dispatches, and so is that it is discarded [contract 6]', async () => {
    await store.publisher.discard(change, edited({ draft: draft() }));
    expect(store.written).toEqual([['draft', 'R', null]]);
    expect(noted()).toEqual([
      ['discard', 'settings.overwrite,users[bob@acme.test],users[ada@acme.test]', true],
    ]);
  });

  it('keeps the version that it was begun on, and is none once it says what is live [contract 6]', async () => {
    const { router } = edited({ version: 4, draft: draft({ base: 3 }) });
    const content = { name: 'X', settings: null, users: [], teams: [] };
    expect(await store.editor.saveDraft(change, { router, content })).toEqual({ hidden: true });
    expect(store.written).toEqual([['draft', 'R', { ...content, base: 3, updatedAt: expect.any(String) }]]);
    const { name, settings, users, teams } = router;
    await store.editor.saveDraft(change, { router, content: { name, settings, users, teams } });
    expect(store.written[1]).toEqual(['draft', 'R', null]);
  });

  it('is the row itself of a router that was never published [contract 6]', async () => {
    const { router } = edited({ published: false, version: null });
    const content = { name: 'X', settings: null, users: [], teams: [] };
    expect(await store.editor.saveDraft(change, { router, content })).toEqual({ hidden: false });
    expect(store.written).toEqual([['update', 'R', content]]);
  });
});

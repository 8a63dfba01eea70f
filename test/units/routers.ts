import { configurationOf, STANDARD, team } from './configuration.js';
import type { DirectoryRepository } from '../../src/directory/index.js';
import { BUILTINS, user } from './engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry, type FieldsRepository } from '../../src/fields/index.js';
import { notFound } from '../../src/errors/errors.js';
import {
  RouterValidator,
  type RouterEntity,
  type RoutersRepository,
  type RouterVersionReader,
  type RouterVersionsRepository,
} from '../../src/routers/index.js';
import { RouterContents } from '../../src/management/routers/router-contents.js';
import { RouterPublisher } from '../../src/management/routers/router-publisher.js';
import { RoutersEditor } from '../../src/management/routers/routers.editor.js';
import { TX } from './apply.js';

type Version = Parameters<RouterVersionsRepository['insert']>[2][number];

/** The users Ada and Bob and a team of Ada. */
const { directory } = configurationOf({
  users: [user('ada'), user('bob')],
  teams: [team('Sales', 'ada')],
});

/** The routers of an account and their versions: notes what is written. */
export class FakeRouters {
  readonly written: unknown[] = [];
  readonly versions: Version[] = [];

  constructor(public present: RouterEntity[] = []) {}

  private readonly routers = {
    listWithDrafts: (tx: unknown) => {
      expect(tx).toBe(TX);
      return Promise.resolve(this.present);
    },
    update: (...[, , { id, ...values }]: Parameters<RoutersRepository['update']>) => {
      this.written.push(['update', id, values]);
      return Promise.resolve();
    },
    saveDraft: (...[, , { id, draft }]: Parameters<RoutersRepository['saveDraft']>) => {
      this.written.push(['draft', id, draft]);
      return Promise.resolve();
    },
  } as unknown as RoutersRepository;

  private readonly published = {
    newest: () => {
      const numbers = [...this.present, ...this.versions].map(({ version }) => version ?? 0);
      return Promise.resolve(Math.max(0, ...numbers));
    },
    insert: (...[, , versions]: Parameters<RouterVersionsRepository['insert']>) => {
      this.versions.push(...versions);
      return Promise.resolve();
    },
  } as unknown as RouterVersionsRepository;

  private readonly reader = {
    find: (...[, , { version }]: Parameters<RouterVersionReader['find']>) => {
      const found = this.versions.find((each) => each.version === version);
      return found === undefined
        ? Promise.reject(notFound('Version not found'))
        : Promise.resolve({ accountId: 'acme', ...found });
    },
  } as unknown as RouterVersionReader;

  private readonly contents = new RouterContents(
    this.routers,
    { load: () => Promise.resolve(directory) } as unknown as DirectoryRepository,
    { list: () => Promise.resolve(STANDARD) } as unknown as FieldsRepository,
    new RouterValidator(new FieldTypeRegistry(BUILT_IN_FIELD_TYPES), BUILTINS.operators, BUILTINS.models),
  );
  readonly editor = new RoutersEditor(this.routers, this.published);
  readonly publisher = new RouterPublisher(this.routers, this.reader, this.contents, this.editor);
}

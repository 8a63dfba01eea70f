import { configurationOf, STANDARD, team } from '../../configuration/testing/configuration.js';
import type { DirectoryRepository } from '../../directory/index.js';
import { BUILTINS, user } from '../../engine/testing/fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry, type FieldsRepository } from '../../fields/index.js';
import { notFound } from '../../errors/errors.js';
import {
  RouterValidator,
  type RouterEntity,
  type RoutersRepository,
  type NamedTeam,
  type RouterVersionReader,
  type RouterVersionsRepository,
} from '../../routers/index.js';
import { RouterContents } from '../routers/router-contents.js';
import { RouterPublisher } from '../routers/router-publisher.js';
import { RoutersEditor } from '../routers/routers.editor.js';
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
  /** The teams of every version that are archived. */
  archivedTeams: NamedTeam[] = [];

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
      const archivedTeams = this.archivedTeams;
      return found === undefined
        ? Promise.reject(notFound('Version not found'))
        : Promise.resolve({ ...found, archivedTeams });
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

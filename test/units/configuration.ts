import type { CapacityEntity } from '../../src/capacities/index.js';
import { Directory } from '../../src/directory/directory.js';
import type { Team, User } from '../../src/directory/index.js';
import { settings } from './engine-fixtures.js';
import { FieldCatalog, OBJECT_TYPES, STANDARD_FIELDS, type FieldDefinition } from '../../src/fields/index.js';
import type { RouterEntity } from '../../src/routers/index.js';
import { withIds } from '../../src/routers/settings/people.js';
import { renderStored } from '../../src/routers/settings/settings.js';
import type {
  AccountConfiguration,
  ConfigurationLoader,
} from '../../src/configuration/cache/configuration.loader.js';
import { ConfigurationCache } from '../../src/configuration/cache/configuration.cache.js';

/** A team of users that `user(name)` of the engine's fixtures makes. */
export function team(name: string, ...members: string[]): Team {
  return { id: `id-team-${name}`, name, memberIds: members.map((member) => `id-${member}`) };
}

/**
 * The settings of a router as they are stored. Users and teams have the ids that `user` and `team` give, but
 * for the user `gone`, who is none.
 */
export function stored(values: Parameters<typeof settings>[0] = {}): Record<string, unknown> {
  const known = {
    withEmail: (email: string) =>
      email === 'gone@acme.test' ? undefined : { id: `id-${email.replace('@acme.test', '')}` },
    findTeam: (name: string) => ({ id: `id-team-${name}` }),
  } as unknown as Directory;
  return { ...withIds(renderStored(settings(values)), known, (field) => field === 'contact_owner') };
}

/** A published router of contacts whose pool has the users of these names. */
export function routerOf(
  id: string,
  users: readonly string[],
  values: Partial<RouterEntity> = {},
): RouterEntity {
  return {
    accountId: 'acme',
    id,
    name: `Router ${id}`,
    objectType: 'contacts',
    published: true,
    version: 1,
    settings: stored(),
    users: users.map((name) => ({ userId: `id-${name}` })),
    teams: [],
    archivedAt: null,
    archivedBy: null,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-02-02T00:00:00Z'),
    ...values,
  };
}

/** A capacity of contacts that caps nobody. */
export function capacity(name: string, values: Partial<CapacityEntity> = {}): CapacityEntity {
  const at = new Date(0);
  return {
    accountId: 'acme',
    id: `id-capacity-${name}`,
    name,
    objectType: 'contacts',
    field: 'lifecycle_stage',
    values: ['lead'],
    users: [],
    teams: [],
    archivedAt: null,
    createdAt: at,
    updatedAt: at,
    ...values,
  };
}

/** The fields that every account has. */
export const STANDARD: readonly FieldDefinition[] = OBJECT_TYPES.flatMap((type) => STANDARD_FIELDS[type]);

/** What an account has configured. */
export interface Configured {
  readonly version?: string;
  readonly users?: readonly User[];
  readonly teams?: readonly Team[];
  readonly fields?: readonly FieldDefinition[];
  readonly capacities?: readonly CapacityEntity[];
  readonly routers?: readonly RouterEntity[];
}

/** The configuration of an account. */
export function configurationOf({
  version = '1',
  users = [],
  teams = [],
  fields = [],
  capacities = [],
  routers = [],
}: Configured = {}): AccountConfiguration {
  return {
    version,
    catalog: new FieldCatalog([...STANDARD, ...fields]),
    directory: new Directory(users, teams),
    capacities,
    routers: new Map(routers.map((router) => [router.id, router])),
  };
}

/** A cache over a configuration that tests change. */
export class FakeConfigurations {
  /** How often the configuration was read from the database. */
  loads = 0;

  /** @param current the configuration in the database; undefined for an account that does not exist */
  constructor(public current: AccountConfiguration | undefined) {}

  load(): Promise<AccountConfiguration | undefined> {
    this.loads += 1;
    return Promise.resolve(this.current);
  }

  read(): Promise<AccountConfiguration | undefined> {
    return this.load();
  }

  currentVersion(): Promise<string | undefined> {
    return Promise.resolve(this.current?.version);
  }

  /** The real cache over it. */
  readonly cache = new ConfigurationCache(this as unknown as ConfigurationLoader);
}

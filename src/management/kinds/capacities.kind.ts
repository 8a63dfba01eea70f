import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { CapacityDto, CapacityEntity } from '../../capacities/index.js';
import type { EntityReader } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository, FieldTypeRegistry } from '../../fields/index.js';
import { fieldLookup } from '../../routers/index.js';
import { shownName } from '../../text/shown-name.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { Around, RowValues, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';

/** What a capacity names and is checked against. */
interface CapacityContext {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  readonly lookup: ReturnType<typeof fieldLookup>;
}

/** A PATCH may leave `values` out. */
type Sent = Omit<CapacityDto, 'values'> & Partial<Pick<CapacityDto, 'values'>>;

/** Capacities of an account. They bind routers while they are active, and do not come back. */
@Injectable()
export class CapacitiesKind extends ManagedKind<CapacityEntity, Sent, CapacityContext> {
  static readonly docs: KindDocs = {
    one: 'capacity',
    many: 'capacities',
    dto: CapacityDto,
    read: ['directory:read', 'manage'],
    notes: {
      create: 'Holds for every router of its object type from the next dispatch on.',
      update: 'Changes the keys that the body has: `values`, `users` and `teams` are whole lists.',
      archive: 'It no longer binds any router.',
    },
    about: {
      name: 'Unique among active capacities',
      field: 'Internal name of the field whose values count',
      values: 'As records would hold them',
      'users.max': 'Most active records that one may own',
      teams: 'For each member of a team',
      'teams.max': 'Most active records that one may own',
    },
    example: {
      name: 'Open leads',
      object_type: 'contacts',
      field: 'lifecycle_stage',
      values: ['lead'],
      users: [{ email: 'ada@demo.test', max: 50 }],
      teams: [{ name: 'Sales', max: 30 }],
    },
  };

  readonly entity = CapacityEntity;
  override readonly revives = false;

  constructor(
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly directory: DirectoryRepository,
  ) {
    super();
  }

  /** Those whom capacities name; everybody where one is wanted: its values may be ids or e-mails of users. */
  async context(
    db: EntityReader,
    account: AccountContext,
    capacities: Around<CapacityEntity, Sent>,
  ): Promise<CapacityContext> {
    const shown = capacities.flatMap(({ present }) => present ?? []);
    const directory = capacities.some(({ dto }) => dto !== undefined)
      ? await this.directory.load(db, account)
      : await this.directory.loadSome(db, account, {
          userIds: shown.flatMap(({ users }) => users.map(({ userId }) => userId)),
          teamIds: shown.flatMap(({ teams }) => teams.map(({ teamId }) => teamId)),
          storedNames: shown.flatMap(({ values }) => values),
          withMembers: false,
        });
    const catalog = new FieldCatalog(await this.fields.list(db, account));
    return { directory, catalog, lookup: fieldLookup(catalog, this.types, directory) };
  }

  /** Users and teams that are gone are left out. */
  form(
    { name, objectType, field, values, users, teams }: WrittenRow<CapacityEntity>,
    { directory, catalog }: CapacityContext,
  ): object {
    const isOfUsers = catalog.get(objectType, field)?.type === 'user';
    return {
      name,
      object_type: objectType,
      field,
      values: isOfUsers ? values.map((stored) => directory.names.emailOf(stored)) : values,
      users: users.flatMap(({ userId, max }) => named('email', directory.user(userId)?.email, max)),
      teams: teams.flatMap(({ teamId, max }) => named('name', directory.team(teamId)?.name, max)),
    };
  }

  override completed(dto: Partial<Sent>, { name, objectType, field }: CapacityEntity): Sent {
    return {
      ...dto,
      name: dto.name ?? name,
      object_type: dto.object_type ?? objectType,
      field: dto.field ?? field,
    };
  }

  wanted(
    wanted: Wanted<CapacityEntity, Sent>,
    context: CapacityContext,
    { errors }: ConfigurationChange,
  ): RowValues<CapacityEntity> | undefined {
    const { dto, present, fail } = wanted;
    const { directory } = context;
    const failures = errors.length;
    const values = storedValues(wanted, context);
    const users = dto.users?.map(({ email, max }, index) => {
      const user = directory.findUser(email);
      if (user === undefined)
        fail(`users[${index}].email`, `${shownName(email)} is not a user of the account`);
      return { userId: user?.id ?? '', max };
    });
    const teams = dto.teams?.map(({ name, max }, index) => {
      const team = directory.findTeam(name);
      if (team === undefined) fail(`teams[${index}].name`, `${shownName(name)} is not a team of the account`);
      return { teamId: team?.id ?? '', max };
    });
    if (errors.length > failures) return undefined;
    return {
      name: dto.name,
      objectType: dto.object_type,
      field: dto.field,
      values,
      users: users ?? present?.users ?? [],
      teams: teams ?? present?.teams ?? [],
    };
  }
}

function named(key: string, name: string | undefined, max: number): object[] {
  return name === undefined ? [] : [{ [key]: name, max }];
}

/** Returns values as records store them. Those that are not sent stay, where the field does. */
function storedValues(
  { dto: { object_type, field: name, values }, present, fail }: Wanted<CapacityEntity, Sent>,
  { directory: { names }, lookup }: CapacityContext,
): string[] {
  const field = lookup(object_type, name);
  if (field === undefined) {
    fail('field', `Unknown field of ${object_type}: ${shownName(name)}`);
    return [];
  }
  const staysOf = present?.objectType === object_type && present.field === name;
  if (values === undefined && staysOf) return present.values;
  return (values ?? present?.values ?? []).map((value, index) => {
    const parsed = field.parse(value);
    if (!parsed.ok || parsed.value === '') {
      fail(`values[${index}]`, parsed.ok ? 'a value must not be empty' : parsed.message);
    }
    if (!parsed.ok) return '';
    return field.definition.type === 'user' ? names.nameOf(parsed.value) : parsed.value;
  });
}

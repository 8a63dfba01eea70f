import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountEntity } from '../../accounts/index.js';
import { CapacitiesRepository, type CapacityEntity } from '../../capacities/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { DirectoryRepository, type UserEntity } from '../../directory/index.js';
import { notFound } from '../../errors/errors.js';
import { FieldsRepository, STANDARD_FIELDS, type FieldDefinition } from '../../fields/index.js';
import { configurableSettings, RoutersRepository, type RouterEntity } from '../../routers/index.js';

/** Exports an account's configuration as a file that `apply` accepts. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly fields: FieldsRepository,
    private readonly directory: DirectoryRepository,
    private readonly capacities: CapacitiesRepository,
    private readonly routers: RoutersRepository,
  ) {}

  /**
   * Exports one account as of one moment: `{ accounts: [...] }` with the keys of the configuration file.
   * Standard fields appear only where options or labels differ from those of a new account.
   * @throws 404 for an unknown slug
   */
  export(slug: string): Promise<{ accounts: object[] }> {
    return this.database.transaction(
      async (tx) => {
        const account = await this.accounts.findBySlug(tx, slug);
        if (account === null) throw notFound(`There is no account ${slug}`);
        return { accounts: [await this.exportAccount(tx, account)] };
      },
      { isolation: 'REPEATABLE READ', readOnly: true, long: true },
    );
  }

  private async exportAccount(tx: Transaction, entity: AccountEntity): Promise<object> {
    const account = { accountId: entity.id };
    const users = await this.directory.listUsers(tx, account);
    const teams = await this.directory.listTeams(tx, account);
    const emails = new Map(users.map(({ id, email }) => [id, email]));
    const names = new Map(teams.map(({ id, name }) => [id, name]));
    const fields = await this.fields.list(tx, account);
    const capacities = await this.capacities.list(tx, account);
    const routers = await this.routers.listActive(tx, account);
    return {
      slug: entity.slug,
      name: entity.name,
      ...(entity.suspendedAt === null ? {} : { suspended: true }),
      holidays: entity.holidays,
      users: users.map(exportUser),
      teams: teams.map(({ name, memberIds }) => ({
        name,
        members: memberIds.flatMap((id) => emails.get(id) ?? []),
      })),
      fields: fields.flatMap(exportField),
      capacities: capacities.map((capacity) => exportCapacity(capacity, emails, names)),
      routers: routers.map((router) => exportRouter(router, emails, names)),
    };
  }
}

function exportUser(user: UserEntity): object {
  return {
    email: user.email,
    name: user.name,
    timezone: user.timezone,
    available: user.available,
    working_hours: user.workingHours,
    out_of_office: user.outOfOffice,
    holidays: user.holidays,
    limits: user.limits,
  };
}

function exportField(field: FieldDefinition): object[] {
  const start = STANDARD_FIELDS[field.objectType].find(
    ({ internalName }) => internalName === field.internalName,
  );
  const options = field.options.map(({ internalName, label }) => ({ internal_name: internalName, label }));
  const unchanged = new Set(
    start?.options.map(({ internalName, label }) => JSON.stringify([internalName, label])),
  );
  const changed = options.filter(
    ({ internal_name, label }) => !unchanged.has(JSON.stringify([internal_name, label])),
  );
  if (start !== undefined && start.label === field.label && changed.length === 0) return [];
  return [
    {
      object_type: field.objectType,
      internal_name: field.internalName,
      label: field.label,
      type: field.type,
      ...(field.long === true ? { long: true } : {}),
      ...(field.type === 'enumeration' ? { options: start === undefined ? options : changed } : {}),
    },
  ];
}

function exportCapacity(
  { name, objectType, field, values, users, teams }: CapacityEntity,
  emails: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): object {
  return {
    name,
    object_type: objectType,
    field,
    values,
    users: users.flatMap(({ userId, max }) => named('email', emails.get(userId), max)),
    teams: teams.flatMap(({ teamId, max }) => named('name', names.get(teamId), max)),
  };
}

function named(key: string, name: string | undefined, max: number): object[] {
  return name === undefined ? [] : [{ [key]: name, max }];
}

function exportRouter(
  router: RouterEntity,
  emails: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): object {
  const users = router.users.flatMap(({ userId, ...share }) => {
    const email = emails.get(userId);
    return email === undefined ? [] : [{ email, ...share }];
  });
  const teams = router.teams.flatMap(({ teamId, ...share }) => {
    const name = names.get(teamId);
    return name === undefined ? [] : [{ name, ...share }];
  });
  return {
    name: router.name,
    object_type: router.objectType,
    published: router.published,
    settings: configurableSettings(router.settings),
    // A file cannot say that a router with settings lists nobody.
    ...(router.settings !== null && users.length + teams.length === 0 ? {} : { users, teams }),
  };
}

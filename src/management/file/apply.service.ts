import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext, type AccountEntity } from '../../accounts/index.js';
import { PeopleRepository, type GroupRoleDto } from '../../auth/index.js';
import { Database, type Transaction } from '../../database/index.js';
import type { FieldError } from '../../errors/domain-error.js';
import { notFound } from '../../errors/errors.js';
import { FieldsRepository, type FieldDto, type LeftOut } from '../../fields/index.js';
import { ChangesService } from '../change/changes.service.js';
import { commandAuthor, ConfigurationChange, type Author } from '../change/configuration-change.js';
import { placesIn, type AccountDto, type ConfigurationFile } from './configuration-file.js';
import { ConfigurationFileError, PartlyAppliedError } from './configuration-file.error.js';
import { EXPORTED, FileSections, PRUNED, SECTIONS } from './file-sections.js';
import { accountPlan, type AccountPlan } from './plan.js';
import { mentioned } from '../../validation/mentioned.js';

/** How a file is applied. */
interface ApplyOptions {
  /** Applies the file and rolls back, so that the plan is exact. */
  readonly dryRun: boolean;
  /** Archives what the file leaves out of the sections that it has. Default false. */
  readonly prune?: boolean;
  /** Whom the audit names; the command `apply` unless given. */
  readonly author?: Author;
}

/** Applies configuration files, each account in a transaction of its own, and exports accounts. */
@Injectable()
export class ApplyService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly standard: FieldsRepository,
    private readonly people: PeopleRepository,
    private readonly changes: ChangesService,
    private readonly sections: FileSections,
  ) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing. All
   * accounts of a file with several are checked before the first is written.
   * @throws ConfigurationFileError listing what is wrong in all accounts, of which none is applied then, with
   *   its places where the file was read by `parseConfigurationFile`
   * @throws PartlyAppliedError where an account cannot be applied any more after the check, and others are
   */
  async apply(file: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    try {
      // The transaction of a lone account finds everything by itself.
      if (!options.dryRun && file.accounts.length > 1) await this.run(file, { ...options, dryRun: true });
      return await this.run(file, options);
    } catch (error) {
      throw error instanceof ConfigurationFileError ? error.locate(placesIn(file)) : error;
    }
  }

  /** Applies each account. What fails of one is thrown at once, that of a dry run with what else does. */
  private async run({ accounts }: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    const errors: FieldError[] = [];
    for (const [index, dto] of accounts.entries()) {
      const path = `accounts[${index}]`;
      try {
        plans.push(await this.applyOne(dto, { ...options, path }));
      } catch (error) {
        if (!options.dryRun) throw plans.length === 0 ? error : new PartlyAppliedError(plans, path, error);
        if (!(error instanceof ConfigurationFileError)) throw error;
        errors.push(...error.all);
      }
    }
    if (errors.length > 0) throw new ConfigurationFileError(errors);
    return plans;
  }

  /**
   * Applies an account completely or not at all: creates and changes what the file contains, and nothing else
   * unless it prunes.
   * @param options `path`: of the account in the file
   * @throws ConfigurationFileError listing everything that is wrong in the account
   */
  private applyOne(
    dto: AccountDto,
    {
      dryRun,
      author = commandAuthor('apply'),
      path,
      prune = false,
    }: ApplyOptions & { readonly path: string },
  ): Promise<AccountPlan> {
    const run = async (tx: Transaction): Promise<AccountPlan> => {
      await this.accounts.lockSlug(tx, dto.slug);
      const { account, created } = await this.open(tx, dto);
      const change = new ConfigurationChange(tx, account, { author, path });
      if (created) change.did('create', { kind: 'account', id: account.accountId, name: dto.slug });
      await this.applyAccount(change, dto);
      for (const section of SECTIONS) {
        await this.sections.of(section).apply(change, section, dto[section] ?? []);
      }
      // What fails may be what takes a team out of use.
      for (const section of prune && change.errors.length === 0 ? PRUNED : []) {
        const dtos = dto[section];
        if (dtos !== undefined) await this.sections.of(section).prune(change, section, dtos);
      }
      if (change.errors.length > 0) throw new ConfigurationFileError(change.errors);
      await this.changes.complete(change);
      return accountPlan(dto.slug, change.changes);
    };
    return this.database.transaction(run, { dryRun, long: true });
  }

  /** Exports an account as of one moment, with the keys of the file. @throws 404 for an unknown slug */
  export(slug: string): Promise<{ accounts: object[] }> {
    const run = async (tx: Transaction): Promise<{ accounts: object[] }> => {
      const row = await this.accounts.findBySlug(tx, slug);
      if (row === null) throw notFound(`There is no account ${slug}`);
      const account = { accountId: row.id };
      const { name, holidays, suspended, console_roles } = accountForm(
        row,
        await this.people.groupRoles(tx, account),
      );
      const exported: Record<string, unknown> = { slug, name, ...(suspended && { suspended }), holidays };
      if (console_roles.length > 0) exported['console_roles'] = console_roles;
      for (const section of EXPORTED) {
        exported[section] = await this.sections.of(section).export(tx, account);
      }
      return { accounts: [exported] };
    };
    return this.database.transaction(run, { isolation: 'REPEATABLE READ', readOnly: true, long: true });
  }

  /**
   * Returns the account with the file's slug. Creates it with the standard fields when there is none, but for
   * a reference whose name a custom field of the file has: the file may be older than the reference.
   */
  private async open(
    tx: Transaction,
    { slug, name, fields = [] }: AccountDto,
  ): Promise<{ account: AccountContext; created: boolean }> {
    const present = await this.accounts.findBySlug(tx, slug);
    if (present !== null) return { account: { accountId: present.id }, created: false };
    const account = await this.accounts.create(tx, { slug, name: name ?? slug });
    await this.standard.insertStandard(tx, account, isReferenceNamedOtherwise(fields));
    return { account, created: true };
  }

  private async applyAccount(
    change: ConfigurationChange,
    { slug, name, holidays, suspended, console_roles }: AccountDto,
  ): Promise<void> {
    const present = await this.accounts.findBySlug(change.tx, slug);
    if (present === null) return;
    const wanted: Partial<AccountEntity> = mentioned({ name, holidays });
    if (suspended !== undefined && suspended !== (present.suspendedAt !== null)) {
      wanted.suspendedAt = suspended ? new Date() : null;
    }
    const roles = await this.people.groupRoles(change.tx, change.account);
    const forms = {
      before: accountForm(present, roles),
      after: accountForm(Object.assign({}, present, wanted), console_roles ?? roles),
    };
    if (!change.changed({ kind: 'account', id: present.id, name: slug }, forms)) return;
    change.accountValues = wanted;
    if (console_roles !== undefined) {
      await this.people.setGroupRoles(change.tx, change.account, console_roles);
    }
  }
}

function isReferenceNamedOtherwise(fields: readonly FieldDto[]): LeftOut {
  return ({ objectType, internalName, type: standard, target }) =>
    standard === 'reference' &&
    fields.some(
      ({ object_type, internal_name, type = standard, target_object_type = target }) =>
        object_type === objectType &&
        internal_name === internalName &&
        (type !== standard || target_object_type !== target),
    );
}

function accountForm({ name, holidays, suspendedAt }: AccountEntity, roles: readonly GroupRoleDto[]) {
  const console_roles = roles
    .map(({ group, role }) => ({ group, role }))
    .sort((one, other) => (one.group < other.group ? -1 : 1));
  return { name, holidays, suspended: suspendedAt !== null, console_roles };
}

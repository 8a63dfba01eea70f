import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountEntity } from '../../accounts/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import { ManagedService } from '../managed/managed.service.js';
import { RoutersSection } from './routers.section.js';
import { SECTION_KINDS, type SectionKinds } from './sections.js';

/** Exports an account's configuration as a file that `apply` accepts. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly managed: ManagedService,
    @Inject(SECTION_KINDS) private readonly kinds: SectionKinds,
    private readonly routers: RoutersSection,
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
    return {
      slug: entity.slug,
      name: entity.name,
      ...(entity.suspendedAt === null ? {} : { suspended: true }),
      holidays: entity.holidays,
      users: await this.managed.export(this.kinds.users, tx, account),
      teams: await this.managed.export(this.kinds.teams, tx, account),
      fields: await this.managed.export(this.kinds.fields, tx, account),
      capacities: await this.managed.export(this.kinds.capacities, tx, account),
      routers: await this.routers.export({ tx, account }),
    };
  }
}

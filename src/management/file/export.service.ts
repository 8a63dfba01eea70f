import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/index.js';
import { PeopleRepository } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import { FileSections } from './file-sections.js';

/** Exports an account's configuration as a file that `apply` accepts. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly people: PeopleRepository,
    private readonly sections: FileSections,
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
        const { id: accountId, name, holidays, suspendedAt } = account;
        const roles = await this.people.groupRoles(tx, { accountId });
        const console_roles = roles.map(({ group, role }) => ({ group, role }));
        const own = {
          slug,
          name,
          ...(suspendedAt === null ? {} : { suspended: true }),
          holidays,
          ...(roles.length === 0 ? {} : { console_roles }),
        };
        return { accounts: [{ ...own, ...(await this.sections.export(tx, { accountId })) }] };
      },
      { isolation: 'REPEATABLE READ', readOnly: true, long: true },
    );
  }
}

import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../accounts/index.js';
import { ApiClientsRepository, SCOPES, type ClientContext } from '../auth/index.js';
import { Database } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { fairleadVersion } from '../settings/package.js';

/** Tells callers who they are. */
@Injectable()
export class MeService {
  private readonly release = fairleadVersion();

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly clients: ApiClientsRepository,
    private readonly directory: DirectoryRepository,
  ) {}

  describe(client: ClientContext) {
    const { clientId: id, member, scopes } = client;
    return this.database.for(client).read(async (db) => {
      const account = await this.accounts.find(db, client);
      const emails = member === undefined ? [] : [member.email];
      const found = await this.directory.findUsers(db, client, emails);
      const user = found.find(({ archivedAt }) => archivedAt === null);
      const name =
        member === undefined ? await this.clients.name(db, client, id) : (user?.name ?? member.email);
      return {
        kind: member === undefined ? 'client' : 'user',
        id,
        name,
        email: member?.email ?? null,
        role: member?.role ?? null,
        user: user === undefined ? null : { id: user.id, email: user.email, name: user.name },
        scopes: SCOPES.filter((scope) => scopes.has(scope)),
        account: { id: client.accountId, slug: account?.slug ?? '', name: account?.name ?? '' },
        release: this.release,
      };
    });
  }
}

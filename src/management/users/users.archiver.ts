import { Injectable } from '@nestjs/common';
import { DirectoryRepository, type UserEntity } from '../../directory/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { RouterContents } from '../routers/router-contents.js';
import { UserRemoval } from './user-removal.js';
import { UserUses, type UserUse } from './user-uses.js';

/** Archives users. */
@Injectable()
export class UsersArchiver {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly contents: RouterContents,
    private readonly uses: UserUses,
    private readonly removal: UserRemoval,
  ) {}

  /**
   * Archives active users, who get no more records. Teams, capacities and routers list them no
   * longer; records keep naming them.
   * @param options.orphan archives also users whom records or routers name
   * @returns what names users, by id: these are not archived
   */
  async archive(
    change: ConfigurationChange,
    users: readonly UserEntity[],
    { orphan }: { readonly orphan: boolean },
  ): Promise<ReadonlyMap<string, UserUse>> {
    if (users.length === 0) return new Map();
    const around = await this.contents.load(change);
    const used = orphan ? new Map<string, UserUse>() : await this.uses.find(change, users, around.routers);
    const leaving = users.filter(({ id }) => !used.has(id));
    if (leaving.length === 0) return used;
    await this.removal.remove(change, leaving, around);
    const values = orphan ? [{ path: 'orphan', from: null, to: true }] : [];
    for (const user of leaving) {
      Object.assign(user, { archivedAt: new Date() });
      change.add('archive', { kind: 'user', id: user.id, name: user.email }, { values });
    }
    await this.directory.updateUsers(change.tx, leaving);
    return used;
  }
}

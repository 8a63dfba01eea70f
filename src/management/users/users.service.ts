import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, type EntityReader } from '../../database/index.js';
import { DirectoryRepository, type UserDto, type UserEntity } from '../../directory/index.js';
import { conflict } from '../../errors/errors.js';
import { emailKey } from '../../text/email-key.js';
import type { Page } from '../../paging/index.js';
import { foundRow, requireArchivable, requireChangeable } from '../change/managed-row.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import type { ListRequest } from '../change/list-request.js';
import { readPage } from '../change/read-page.js';
import { userInUse } from './user-in-use.js';
import { userView, type UserView } from './user-view.js';
import { UsersArchiver } from './users.archiver.js';
import { UsersEditor } from './users.editor.js';

/** Manages the users of an account (contract section 6). */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryRepository,
    private readonly changes: ChangesService,
    private readonly editor: UsersEditor,
    private readonly archiver: UsersArchiver,
  ) {}

  /**
   * Returns one page of users in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, request: ListRequest): Promise<Page<UserView>> {
    return readPage({ database: this.database, account }, request, {
      read: (db, range) => this.directory.pageOfUsers(db, account, range),
      view: (users) => users.map(userView),
    });
  }

  /** Returns one user, archived or not. @throws 404 */
  async get(account: AccountContext, id: string): Promise<UserView> {
    return userView(await this.database.for(account).read((db) => this.find(db, account, id)));
  }

  /** Creates a user. An archived one with the e-mail becomes active again. @throws 409 where one is active */
  create(client: Caller, dto: UserDto): Promise<UserView> {
    return this.changes.change(client, async (change) => {
      const [present] = await this.directory.findUsers(change.tx, client, [dto.email]);
      if (present?.archivedAt === null) throw duplicate('user', { field: 'email', existingId: present.id });
      return this.keep(change, dto, present);
    });
  }

  /**
   * Changes what `dto` mentions. Another e-mail stands at once wherever the user is named (ADR 24).
   * @throws 404; 409 for an archived user, and for an e-mail of another one
   */
  update(
    client: Caller,
    { id, dto }: { readonly id: string; readonly dto: Partial<UserDto> },
  ): Promise<UserView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireChangeable('user', present);
      const email = dto.email ?? present.email;
      if (emailKey(email) !== emailKey(present.email)) await this.requireFree(change, email);
      return this.keep(change, { ...dto, email }, present);
    });
  }

  /**
   * Archives a user.
   * @param target `orphan`: also one whom records or routers name
   * @throws 404, also for an archived user; 409 with what names the user
   */
  archive(
    client: Caller,
    { id, orphan }: { readonly id: string; readonly orphan: boolean },
  ): Promise<UserView> {
    return this.changes.change(client, async (change) => {
      const user = await this.find(change.tx, client, id);
      requireArchivable('user', user);
      const use = (await this.archiver.archive(change, [user], { orphan })).get(id);
      if (use !== undefined) throw userInUse(use);
      return userView(await this.find(change.tx, client, id));
    });
  }

  /** @throws 409 where another user has the e-mail, active or archived */
  private async requireFree({ tx, account }: ConfigurationChange, email: string): Promise<void> {
    const [other] = await this.directory.findUsers(tx, account, [email]);
    if (other === undefined) return;
    if (other.archivedAt === null) throw duplicate('user', { field: 'email', existingId: other.id });
    throw conflict('An archived user has this email: records may name them by it', 'email');
  }

  private async keep(
    change: ConfigurationChange,
    dto: UserDto,
    present: UserEntity | undefined,
  ): Promise<UserView> {
    const [id = ''] = await this.editor.keep(change, [{ dto, present }]);
    return userView(await this.find(change.tx, change.account, id));
  }

  private find(db: EntityReader, account: AccountContext, id: string): Promise<UserEntity> {
    return foundRow('user', id, () => this.directory.findUser(db, account, id));
  }
}

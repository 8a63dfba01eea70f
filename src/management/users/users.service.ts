import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/index.js';
import { Database, isId, type Transaction } from '../../database/index.js';
import { DirectoryRepository, type UserDto, type UserEntity } from '../../directory/index.js';
import { archived, notFound } from '../../errors/errors.js';
import { pageStart, rowPage, type Page } from '../../http/index.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import type { ListRequest } from '../change/list-request.js';
import { userView, type UserView } from './user-view.js';
import { UsersEditor } from './users.editor.js';

/** Manages the users of an account (contract section 6). */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryRepository,
    private readonly changes: ChangesService,
    private readonly editor: UsersEditor,
  ) {}

  /**
   * Returns one page of users in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, { after, ...request }: ListRequest): Promise<Page<UserView>> {
    const behind = pageStart(after, request.offset);
    return this.database.for(account).read(async () => {
      const found = await this.directory.pageOfUsers(this.database, account, { ...request, behind });
      return rowPage(found.rows.map(userView), request, found);
    });
  }

  /** Returns one user, archived or not. @throws 404 */
  async get(account: AccountContext, id: string): Promise<UserView> {
    const user = isId(id) ? await this.directory.findUser(this.database.for(account), account, id) : null;
    if (user === null) throw notFound(UNKNOWN);
    return userView(user);
  }

  /** Creates a user. An archived one with the e-mail becomes active again. @throws 409 where one is active */
  create(client: Caller, dto: UserDto): Promise<UserView> {
    return this.changes.change(client, async (change) => {
      const [present] = await this.directory.findUsers(change.tx, client, [dto.email]);
      if (present?.archivedAt === null) throw duplicate('user', { field: 'email', existingId: present.id });
      return this.keep(change, dto, present);
    });
  }

  /** Changes what `dto` mentions. @throws 404; 409 for an archived user */
  update(
    client: Caller,
    { id, dto }: { readonly id: string; readonly dto: Partial<UserDto> },
  ): Promise<UserView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      if (present.archivedAt !== null) throw archived('This user is archived and cannot be changed');
      return this.keep(change, { ...dto, email: dto.email ?? present.email }, present);
    });
  }

  private async keep(
    change: ConfigurationChange,
    dto: UserDto,
    present: UserEntity | undefined,
  ): Promise<UserView> {
    const [id = ''] = await this.editor.keep(change, [{ dto, present }]);
    return userView(await this.find(change.tx, change.account, id));
  }

  private async find(tx: Transaction, account: AccountContext, id: string): Promise<UserEntity> {
    const user = isId(id) ? await this.directory.findUser(tx, account, id) : null;
    if (user === null) throw notFound(UNKNOWN);
    return user;
  }
}

const UNKNOWN = 'User not found';

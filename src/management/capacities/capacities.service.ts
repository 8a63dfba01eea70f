import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { CapacitiesRepository, type CapacityDto, type CapacityEntity } from '../../capacities/index.js';
import { Database, type EntityReader } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { FieldsRepository } from '../../fields/index.js';
import type { Page } from '../../paging/index.js';
import { foundRow, requireArchivable, requireChangeable } from '../change/managed-row.js';
import { ChangesService } from '../change/changes.service.js';
import { mentioned, type ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import type { ListRequest } from '../change/list-request.js';
import { readPage } from '../change/read-page.js';
import { CapacitiesEditor } from './capacities.editor.js';
import type { FormSurroundings } from '../forms/capacity-form.js';
import type { WantedCapacity } from './wanted-capacity.js';
import { capacityView, type CapacityView } from './capacity-view.js';

/** Manages the capacities of an account (contract section 6). */
@Injectable()
export class CapacitiesService {
  constructor(
    private readonly database: Database,
    private readonly capacities: CapacitiesRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
    private readonly changes: ChangesService,
    private readonly editor: CapacitiesEditor,
  ) {}

  /**
   * Returns one page of capacities in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, request: ListRequest): Promise<Page<CapacityView>> {
    return readPage({ database: this.database, account }, request, {
      read: (db, range) => this.capacities.page(db, account, range),
      view: (capacities, db) => this.views(db, account, capacities),
    });
  }

  /** Returns one capacity, archived or not. @throws 404 */
  get(account: AccountContext, id: string): Promise<CapacityView> {
    return this.database.for(account).read((db) => this.view(db, account, id));
  }

  /** Creates a capacity. @throws 409 where one with the name is active */
  create(client: Caller, dto: CapacityDto): Promise<CapacityView> {
    return this.changes.change(client, async (change) => {
      await this.requireFree(change, dto.name);
      return this.keep(change, dto, undefined);
    });
  }

  /** Changes what `dto` mentions. @throws 404; 409 for an archived capacity, and for a name that is taken */
  update(
    client: Caller,
    { id, dto }: { readonly id: string; readonly dto: Partial<CapacityDto> },
  ): Promise<CapacityView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireChangeable('capacity', present);
      const { name, objectType: object_type, field } = present;
      if (dto.name !== undefined && dto.name !== name) await this.requireFree(change, dto.name);
      return this.keep(change, { name, object_type, field, ...mentioned(dto) }, present);
    });
  }

  /** Archives a capacity. @throws 404, also for an archived capacity */
  archive(client: Caller, id: string): Promise<CapacityView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireArchivable('capacity', present);
      await this.editor.archive(change, present);
      return this.view(change.tx, client, id);
    });
  }

  private async keep(
    change: ConfigurationChange,
    dto: WantedCapacity['dto'],
    present: CapacityEntity | undefined,
  ): Promise<CapacityView> {
    const [id = ''] = await this.editor.keep(change, [{ dto, present, refuse: change.refusing('') }]);
    change.throwIfRefused();
    return this.view(change.tx, change.account, id);
  }

  private async requireFree({ tx, account }: ConfigurationChange, name: string): Promise<void> {
    const owner = (await this.capacities.list(tx, account)).find((each) => each.name === name);
    if (owner !== undefined) throw duplicate('capacity', { field: 'name', existingId: owner.id });
  }

  private find(db: EntityReader, account: AccountContext, id: string): Promise<CapacityEntity> {
    return foundRow('capacity', id, () => this.capacities.find(db, account, id));
  }

  private async view(db: EntityReader, account: AccountContext, id: string): Promise<CapacityView> {
    return capacityView(await this.find(db, account, id), await this.around(db, account));
  }

  private async views(
    db: EntityReader,
    account: AccountContext,
    capacities: readonly CapacityEntity[],
  ): Promise<CapacityView[]> {
    const around = await this.around(db, account);
    return capacities.map((capacity) => capacityView(capacity, around));
  }

  private async around(db: EntityReader, account: AccountContext): Promise<FormSurroundings> {
    const directory = await this.directory.load(db, account);
    return { directory, catalog: await this.fields.catalog(db, account, undefined) };
  }
}

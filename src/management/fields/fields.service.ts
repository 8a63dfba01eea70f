import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, type EntityReader } from '../../database/index.js';
import { conflict } from '../../errors/errors.js';
import {
  FieldsRepository,
  type FieldDefinitionEntity,
  type FieldDto,
  type ObjectType,
} from '../../fields/index.js';
import type { Page } from '../../paging/index.js';
import { foundRow, requireArchivable, requireChangeable } from '../change/managed-row.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import { requireUnused } from '../change/in-use.js';
import type { ListRequest } from '../change/list-request.js';
import { readPage } from '../change/read-page.js';
import type { OptionsMode } from './field-options.js';
import { fieldView, type FieldView } from './field-view.js';
import { FieldsEditor } from './fields.editor.js';

/** The part of the list of fields that a request asks for. */
export interface FieldsRequest extends ListRequest {
  readonly object_type: ObjectType | undefined;
}

/** Manages the fields of an account (contract section 6). */
@Injectable()
export class FieldsService {
  constructor(
    private readonly database: Database,
    private readonly fields: FieldsRepository,
    private readonly changes: ChangesService,
    private readonly editor: FieldsEditor,
  ) {}

  /**
   * Returns one page of standard and custom fields in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(
    account: AccountContext,
    { object_type: objectType, ...request }: FieldsRequest,
  ): Promise<Page<FieldView>> {
    return readPage({ database: this.database, account }, request, {
      read: (db, range) => this.fields.page(db, account, { ...range, objectType }),
      view: (fields) => fields.map(fieldView),
    });
  }

  /** Returns one field, archived or not. @throws 404 */
  async get(account: AccountContext, id: string): Promise<FieldView> {
    return fieldView(await this.database.for(account).read((db) => this.find(db, account, id)));
  }

  /**
   * Creates a custom field. An archived one with the name becomes active again, with the values of records.
   * @throws 409 where one is active
   */
  create(client: Caller, dto: FieldDto): Promise<FieldView> {
    return this.changes.change(client, async (change) => {
      const { object_type, internal_name } = dto;
      const fields = await this.fields.list(change.tx, client);
      const present = fields.find(
        ({ objectType, internalName }) => objectType === object_type && internalName === internal_name,
      );
      if (present !== undefined) {
        throw duplicate('field', { field: 'internal_name', existingId: present.id });
      }
      return this.keep(change, dto, 'merge');
    });
  }

  /**
   * Changes what `dto` mentions. Its options are the whole list.
   * @throws 404; 409 for an archived field, and naming what uses an option that is removed
   */
  update(
    client: Caller,
    { id, dto }: { readonly id: string; readonly dto: Partial<FieldDto> },
  ): Promise<FieldView> {
    // Records hold options, and no index has them all.
    const long = dto.options !== undefined;
    const work = async (change: ConfigurationChange): Promise<FieldView> => {
      const present = await this.find(change.tx, client, id);
      requireChangeable('field', present);
      const { objectType: object_type, internalName: internal_name } = present;
      for (const [key, value] of Object.entries({ object_type, internal_name })) {
        const wanted = dto[key as 'object_type' | 'internal_name'];
        if (wanted === undefined || wanted === value) continue;
        change.refuse(key, `the ${key} of this field is ${value} and cannot change`);
      }
      return this.keep(change, { ...dto, object_type, internal_name }, 'replace');
    };
    return this.changes.change(client, work, { long });
  }

  /**
   * Archives a custom field. Records keep its values, which nobody sees.
   * @throws 404, also for an archived field; 409 for a standard field, and naming what uses it
   */
  archive(client: Caller, id: string): Promise<FieldView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireArchivable('field', present);
      if (present.standard) throw conflict('Every account has this field: it cannot be removed');
      (await this.editor.archive(change, [present])).forEach(requireUnused);
      return fieldView(await this.find(change.tx, client, id));
    });
  }

  private async keep(change: ConfigurationChange, dto: FieldDto, mode: OptionsMode): Promise<FieldView> {
    const [id = ''] = await this.editor.keep(change, [{ dto, refuse: change.refusing('') }], mode);
    change.throwIfRefused();
    return fieldView(await this.find(change.tx, change.account, id));
  }

  private find(db: EntityReader, account: AccountContext, id: string): Promise<FieldDefinitionEntity> {
    return foundRow('field', id, () => this.fields.find(db, account, id));
  }
}

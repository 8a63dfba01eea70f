import { Injectable } from '@nestjs/common';
import { FieldsRepository } from '../../../fields/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { inUseMessage } from '../../change/in-use.js';
import { FieldsEditor } from '../../fields/fields.editor.js';
import { fieldKey } from '../../fields/router-fields.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the custom fields that `fields` leaves out. Options stay. */
@Injectable()
export class FieldsPruner implements Pruner {
  constructor(
    private readonly fields: FieldsRepository,
    private readonly editor: FieldsEditor,
  ) {}

  async prune(change: ConfigurationChange, { fields }: AccountDto): Promise<void> {
    if (fields === undefined) return;
    const named = new Set(
      fields.map(({ object_type: objectType, internal_name: internalName }) =>
        fieldKey({ objectType, internalName }),
      ),
    );
    const present = await this.fields.listAll(change.tx, change.account);
    const others = present.filter(
      (field) => !field.standard && field.archivedAt === null && !named.has(fieldKey(field)),
    );
    for (const used of await this.editor.archive(change, others)) change.refuse('fields', inUseMessage(used));
  }
}

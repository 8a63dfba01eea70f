import { Injectable } from '@nestjs/common';
import { FieldsRepository } from '../../../fields/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { inUseMessage } from '../../change/in-use.js';
import { FieldsEditor } from '../../fields/fields.editor.js';
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
    const named = new Set(fields.map(({ object_type, internal_name }) => `${object_type}.${internal_name}`));
    for (const field of await this.fields.listAll(change.tx, change.account)) {
      const { objectType, internalName, standard, archivedAt } = field;
      if (standard || archivedAt !== null || named.has(`${objectType}.${internalName}`)) continue;
      const found = await this.editor.archive(change, field);
      if (found.uses.length > 0) change.refuse('fields', inUseMessage(found));
    }
  }
}

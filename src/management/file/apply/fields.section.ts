import { Injectable } from '@nestjs/common';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { FieldsEditor } from '../../fields/fields.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/**
 * Applies `fields`: adds custom fields, and changes the options, the label and `long` of fields that exist.
 * Removes no option. An archived field that is in the file becomes active again.
 */
@Injectable()
export class FieldsSection implements ApplySection {
  constructor(private readonly editor: FieldsEditor) {}

  async apply(change: ConfigurationChange, { fields = [] }: AccountDto): Promise<void> {
    const wanted = fields.map((dto, index) => ({ dto, refuse: change.refusing(`fields[${index}]`) }));
    await this.editor.keep(change, wanted, 'merge');
  }
}

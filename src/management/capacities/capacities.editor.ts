import { Injectable } from '@nestjs/common';
import { CapacitiesRepository, type CapacityEntity } from '../../capacities/index.js';
import { newId } from '../../database/index.js';
import { DirectoryRepository } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository, FieldTypeRegistry } from '../../fields/index.js';
import { fieldLookup } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { capacityForm } from '../forms/capacity-form.js';
import { capacityValues, type CapacitySurroundings, type WantedCapacity } from './wanted-capacity.js';

/** Creates, changes and archives capacities. */
@Injectable()
export class CapacitiesEditor {
  constructor(
    private readonly capacities: CapacitiesRepository,
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly directory: DirectoryRepository,
  ) {}

  /** @returns the ids of the capacities that were not refused */
  async keep(change: ConfigurationChange, wanted: readonly WantedCapacity[]): Promise<string[]> {
    const around = await this.load(change);
    const ids: string[] = [];
    for (const capacity of wanted) {
      const { dto, present } = capacity;
      const before = change.errors.length;
      const values = { ...capacityValues(capacity, around), name: dto.name };
      if (change.errors.length > before) continue;
      const id = present?.id ?? newId();
      ids.push(id);
      const forms = {
        before: present === undefined ? null : capacityForm(present, around),
        after: capacityForm(values, around),
      };
      if (!change.note({ kind: 'capacity', id, name: dto.name }, forms)) continue;
      if (present === undefined) await this.capacities.insert(change.tx, change.account, { ...values, id });
      else await this.capacities.update(change.tx, change.account, { ...values, id });
    }
    return ids;
  }

  /** Archives a capacity. Routers that were bound by it no longer are. */
  async archive(change: ConfigurationChange, { id, name }: CapacityEntity): Promise<void> {
    await this.capacities.update(change.tx, change.account, { id, archivedAt: new Date() });
    change.add('archive', { kind: 'capacity', id, name });
  }

  private async load({ tx, account }: ConfigurationChange): Promise<CapacitySurroundings> {
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    return { directory, catalog, lookup: fieldLookup(catalog, this.types, directory) };
  }
}

import { Injectable } from '@nestjs/common';
import { CapacitiesRepository, type CapacityDto, type CapacityValues } from '../../../capacities/index.js';
import { newId } from '../../../database/index.js';
import { DirectoryRepository, type Directory } from '../../../directory/index.js';
import { FieldCatalog, FieldsRepository, FieldTypeRegistry } from '../../../fields/index.js';
import { fieldLookup } from '../../../routers/index.js';
import type { ConfigurationChange, Refuse } from '../../change/configuration-change.js';
import { capacityForm } from '../../forms/capacity-form.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `capacities`, after the fields, users and teams they refer to. */
@Injectable()
export class CapacitiesSection implements ApplySection {
  constructor(
    private readonly capacities: CapacitiesRepository,
    private readonly fields: FieldsRepository,
    private readonly types: FieldTypeRegistry,
    private readonly directory: DirectoryRepository,
  ) {}

  async apply(change: ConfigurationChange, { capacities: dtos = [] }: AccountDto): Promise<void> {
    const { tx, account } = change;
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    const lookup = fieldLookup(catalog, this.types, directory);
    const present = new Map((await this.capacities.list(tx, account)).map((each) => [each.name, each]));
    for (const [index, dto] of dtos.entries()) {
      const refuse = change.refusing(`capacities[${index}]`);
      const before = change.errors.length;
      const known = present.get(dto.name);
      const wanted: CapacityValues = {
        objectType: dto.object_type,
        field: dto.field,
        values: storedValues(dto, lookup(dto.object_type, dto.field), { directory, refuse }),
        ...holders(dto, known, { directory, refuse }),
      };
      if (change.errors.length > before) continue;
      const id = known?.id ?? newId();
      const named = { ...wanted, name: dto.name };
      const forms = {
        before: known === undefined ? null : capacityForm(known, { directory, catalog }),
        after: capacityForm(named, { directory, catalog }),
      };
      if (!change.note({ kind: 'capacity', id, name: dto.name }, forms)) continue;
      if (known === undefined) await this.capacities.insert(tx, account, { ...named, id });
      else await this.capacities.update(tx, account, { ...wanted, id });
    }
  }
}

function storedValues(
  { object_type, field: name, values }: CapacityDto,
  field: ReturnType<ReturnType<typeof fieldLookup>>,
  { directory: { names }, refuse }: { readonly directory: Directory; readonly refuse: Refuse },
): string[] {
  if (field === undefined) {
    refuse('field', `Unknown field of ${object_type}: ${name}`);
    return [];
  }
  return values.map((value, index) => {
    const parsed = field.parse(value);
    if (!parsed.ok || parsed.value === '') {
      refuse(`values[${index}]`, parsed.ok ? 'a value must not be empty' : parsed.message);
    }
    if (!parsed.ok) return '';
    return field.definition.type === 'user' ? names.nameOf(parsed.value) : parsed.value;
  });
}

/**
 * Returns the users or teams with a capacity in the file. A list that the file leaves out does not change.
 */
function holders(
  { users, teams }: CapacityDto,
  known: CapacityValues | undefined,
  { directory, refuse }: { readonly directory: Directory; readonly refuse: Refuse },
): Pick<CapacityValues, 'users' | 'teams'> {
  const cappedUsers = users?.map(({ email, max }, index) => {
    const user = directory.findUser(email);
    if (user === undefined) refuse(`users[${index}].email`, `${email} is not a user of the account`);
    return { userId: user?.id ?? '', max };
  });
  const cappedTeams = teams?.map(({ name, max }, index) => {
    const team = directory.findTeam(name);
    if (team === undefined) refuse(`teams[${index}].name`, `${name} is not a team of the account`);
    return { teamId: team?.id ?? '', max };
  });
  return { users: cappedUsers ?? known?.users ?? [], teams: cappedTeams ?? known?.teams ?? [] };
}

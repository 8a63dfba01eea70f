import { Injectable } from '@nestjs/common';
import { MOST_FOUND, type AccountCheck, type AccountContext, type CheckResult } from '../accounts/index.js';
import { ConfigurationCache } from '../configuration/index.js';
import { FieldTypeRegistry, OBJECT_TYPE_RULES, OBJECT_TYPES, type FieldDefinition } from '../fields/index.js';
import { RecordScanner } from './record-scanner.js';
import type { RecordView } from './record-view.js';

/** Types whose values name what may have left: users and records. */
const NAMING: ReadonlySet<string> = new Set(['user', 'reference']);

/**
 * Finds values that no request could store now, such as a key with white space at its ends, that an earlier
 * version or a change outside the service has left. They stay as they are: another record may have the value
 * that a repair would make of it.
 */
@Injectable()
export class StoredValuesCheck implements AccountCheck {
  readonly subject = 'values of records';

  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly scanner: RecordScanner,
    private readonly types: FieldTypeRegistry,
  ) {}

  async compare(account: AccountContext): Promise<CheckResult> {
    let [compared, wrong] = [0, 0];
    const found: string[] = [];
    for (const objectType of OBJECT_TYPES) {
      const fields = await this.configurations.use(account, ({ catalog }) =>
        catalog.all(objectType).filter(({ type }) => !NAMING.has(type)),
      );
      const scan = {
        objectType,
        properties: fields.map(({ internalName }) => internalName),
        archived: true,
      };
      for await (const page of this.scanner.pages(account, scan)) {
        compared += page.length;
        for (const text of page) {
          const view = JSON.parse(text) as RecordView;
          const problems = fields.flatMap((field) => this.problemOf(view[field.internalName], field) ?? []);
          if (problems.length === 0) continue;
          wrong += 1;
          const { singular } = OBJECT_TYPE_RULES[objectType];
          if (wrong <= MOST_FOUND) found.push(`${singular} ${String(view['id'])}: ${problems.join('; ')}`);
        }
      }
    }
    return { compared, wrong, found };
  }

  /** Says why a value is stored in no form that a write stores. */
  private problemOf(stored: RecordView[string] | undefined, field: FieldDefinition): string | undefined {
    const type = this.types.get(field.type);
    if (stored === undefined || stored === null || type === undefined) return undefined;
    const name = field.internalName;
    // Only SQL of others makes such a value.
    if (typeof stored !== 'string') return `${name} is no text`;
    if (stored.trim() === '') return `${name} is blank`;
    const parsed = type.parse(stored, field, { findUser: () => undefined });
    if (!parsed.ok) return parsed.message;
    return parsed.value === stored ? undefined : `${name} would be stored as ${JSON.stringify(parsed.value)}`;
  }
}

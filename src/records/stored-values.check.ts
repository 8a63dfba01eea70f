import { Injectable } from '@nestjs/common';
import { MOST_FOUND, type AccountCheck, type AccountContext, type CheckResult } from '../accounts/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../configuration/index.js';
import { Database, LEAST_ID, type Statement } from '../database/index.js';
import { FieldTypeRegistry, OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../fields/index.js';

/** $1 account, $2 object type, $3 the id behind which the page begins, $4 most rows, archived ones too. */
const PAGE: Statement = {
  name: 'records_check_page',
  text: `SELECT r.id, r.fields FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.id > $3::uuid ORDER BY r.id LIMIT $4`,
};
const PAGE_ROWS = 500;

/** Types whose values name what may have left: users and records. */
const NAMING: ReadonlySet<string> = new Set(['user', 'reference']);

interface Row {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Finds values that no request could store now, such as a key with white space at its ends, that an earlier
 * version or a change outside the service has left. They stay as they are: another record may have the value
 * that a repair would make of it.
 */
@Injectable()
export class StoredValuesCheck implements AccountCheck {
  readonly subject = 'values of records';

  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly types: FieldTypeRegistry,
  ) {}

  async compare(account: AccountContext): Promise<CheckResult> {
    let [compared, wrong] = [0, 0];
    const found: string[] = [];
    for (const objectType of OBJECT_TYPES) {
      for await (const rows of this.pages(account, objectType)) {
        const problems = await this.configurations.use(account, (configuration) =>
          Promise.resolve(rows.flatMap((row) => this.problemOf(row, objectType, configuration) ?? [])),
        );
        compared += rows.length;
        wrong += problems.length;
        found.push(...problems.slice(0, MOST_FOUND - found.length));
      }
    }
    return { compared, wrong, found };
  }

  private async *pages(
    { accountId }: AccountContext,
    objectType: ObjectType,
  ): AsyncGenerator<readonly Row[]> {
    let behind: string | undefined = LEAST_ID;
    while (behind !== undefined) {
      const rows: readonly Row[] = await this.database.query(PAGE, [
        accountId,
        objectType,
        behind,
        PAGE_ROWS,
      ]);
      yield rows;
      behind = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.id;
    }
  }

  /** Says which values of a record are stored in no form that a write stores. */
  private problemOf(
    { id, fields }: Row,
    objectType: ObjectType,
    { catalog }: AccountConfiguration,
  ): string | undefined {
    const environment = { findUser: () => undefined };
    const problems = Object.entries(fields).flatMap(([name, stored]) => {
      const definition = catalog.get(objectType, name);
      const type = definition === undefined ? undefined : this.types.get(definition.type);
      if (definition === undefined || type === undefined || NAMING.has(type.id)) return [];
      if (stored.trim() === '') return `${name} is blank`;
      const parsed = type.parse(stored, definition, environment);
      if (!parsed.ok) return parsed.message;
      return parsed.value === stored ? [] : `${name} would be stored as ${JSON.stringify(parsed.value)}`;
    });
    const { singular } = OBJECT_TYPE_RULES[objectType];
    return problems.length === 0 ? undefined : `${singular} ${id}: ${problems.join('; ')}`;
  }
}

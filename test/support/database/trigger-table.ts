import { nameKey } from '../../../src/text/canonical-text.js';
import { outcomeOf, people, router, RoutingAccount } from '../routing-account.js';
import type { TestService } from '../test-service.js';

/** A condition, and the labels of the contacts that it holds for. */
export type ConditionCase = readonly [operator: string, value: unknown, holdsFor: readonly string[]];

/** Contacts with many values, and a router for each of many triggers. */
export class TriggerTable {
  private constructor(
    readonly account: RoutingAccount,
    private readonly contacts: ReadonlyMap<string, string>,
    /** The names of the routers by those of the triggers, of which two may differ in case only. */
    private readonly routers: ReadonlyMap<string, string>,
  ) {}

  /**
   * @param contacts by label, the fields of each
   * @param triggers by name
   */
  static async open(
    service: TestService,
    contacts: Readonly<Record<string, object>>,
    triggers: ReadonlyMap<string, object>,
  ): Promise<TriggerTable> {
    const routers = distinct([...triggers.keys()]);
    const account = await RoutingAccount.open(service, {
      users: people(['ada', 'bob', 'eve']),
      fields: [
        { object_type: 'contacts', internal_name: 'score', type: 'number' },
        { object_type: 'contacts', internal_name: 'signed_up', type: 'datetime' },
        { object_type: 'contacts', internal_name: 'vip', type: 'bool' },
        { object_type: 'contacts', internal_name: 'manager', type: 'user' },
        {
          object_type: 'contacts',
          internal_name: 'region',
          type: 'enumeration',
          options: [
            { internal_name: 'emea', label: 'Europe and more' },
            { internal_name: 'apac', label: 'Asia Pacific' },
            { internal_name: 'NA', label: 'North America' },
          ],
        },
      ],
      routers: [...triggers].map(([name, trigger]) =>
        router(routers.get(name) ?? name, { overwrite: true, trigger }, { users: people(['ada']) }),
      ),
    });
    const ids = new Map<string, string>();
    for (const [label, fields] of Object.entries(contacts)) ids.set(label, await account.contact(fields));
    return new TriggerTable(account, ids, routers);
  }

  /**
   * Returns the labels of the contacts that a trigger matches, in order. @throws when a dispatch has another
   * result
   */
  async matched(trigger: string): Promise<string[]> {
    const { status, body } = await this.account.batch(this.routers.get(trigger) ?? trigger, [
      ...this.contacts.values(),
    ]);
    if (status !== 200) throw new Error(`${trigger}: ${status} ${JSON.stringify(body)}`);
    return [...this.contacts.keys()].filter((label, index) => {
      const outcome = outcomeOf(body.results[index]);
      if (outcome !== 'ada' && outcome !== 'trigger_not_matched')
        throw new Error(`${trigger}, ${label}: ${outcome}`);
      return outcome === 'ada';
    });
  }
}

/** Returns other names for those that an earlier one equals as names are compared. */
function distinct(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name, index) => {
      const isTaken = taken.has(nameKey(name));
      taken.add(nameKey(name));
      return [name, isTaken ? `${name} ${index}` : name];
    }),
  );
}

/** The trigger of one condition; without a value where it is undefined. */
export const condition = (field: string, operator: string, value?: unknown): object => ({
  groups: [{ conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }] }],
});

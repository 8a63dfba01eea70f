import { takesAll } from '../../../parts/conditions/trigger';
import type { Content } from './content';

/** The fields by which a router takes a record and finds its rule, in the order in which it asks. */
export function fieldsAsked({ trigger, rules = [], account_matching }: Content): string[] {
  const triggers = [trigger, ...rules.map((rule) => rule.trigger ?? { groups: [] })];
  const asked = triggers
    .filter((each) => !takesAll(each))
    .flatMap(({ groups }) => groups.flatMap(({ conditions }) => conditions.map(({ field }) => field)));
  return [...new Set([...asked, ...(account_matching ? ['email'] : [])])];
}

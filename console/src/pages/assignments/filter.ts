import type { AssignmentFilter } from '../../api/types';
import { count, flag, oneOf, searchOf, text } from '../../app/search';
import { instantOf } from '../../model/span';

export const VIEWS = ['list', 'user', 'rule', 'reason', 'day'] as const;

/** What the address of the page says. */
export const readSearch = searchOf({
  view: oneOf(...VIEWS),
  router: text,
  rule: text,
  step: count,
  user: text,
  reason: text,
  record: text,
  assigned: flag,
  from: text,
  to: text,
  follow: flag,
});

export type AssignmentSearch = ReturnType<typeof readSearch>;

/** The filters as the API takes them. */
export function filterOf(search: AssignmentSearch, now: Date): AssignmentFilter {
  const { router, record, rule, step, user, reason, assigned, from, to } = search;
  const all = {
    router_id: router,
    object_id: record,
    rule,
    step,
    user,
    reason,
    assigned,
    from: instantOf(from, 'from', now),
    to: instantOf(to, 'to', now),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * The keys of steps, and of what is in them, in the order in which a decision gives them. PostgreSQL has an
 * order of its own for the keys of JSON.
 */
const KEYS = [
  ...['step', 'published', 'settings', 'team', 'in', 'out', 'matched', 'groups', 'passed_over'],
  ...['first_passed_over', 'field', 'operator', 'value', 'user', 'outcome', 'host', 'company_id', 'owner'],
  ...['allowed', 'because', 'unavailable', 'reasons', 'users', 'saw', 'held', 'problem', 'refuses'],
  ...['otherwise', 'candidates', 'chosen_by', 'model', 'among', 'chosen', 'rule', 'columns', 'rows'],
  'without_share',
];

const PLACES = new Map(KEYS.map((key, place) => [key, place]));

/** Returns a stored trace, or a part of one, with its keys in the order of the decision; others come last. */
export function traceInOrder(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(traceInOrder);
  if (typeof part !== 'object' || part === null) return part;
  const place = ([key]: [string, unknown]): number => PLACES.get(key) ?? KEYS.length;
  const entries = Object.entries(part).sort((one, other) => place(one) - place(other));
  // An operand is as it was configured.
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'value' ? value : traceInOrder(value)]),
  );
}

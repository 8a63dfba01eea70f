import type { PlannedChange } from './planned-change.js';
import type { ValueChange } from './value-changes.js';

const ARCHIVED: ValueChange = { path: 'archived', from: false, to: true };

/**
 * Returns the values of a change as the audit tells them. It names `archived`, which forms do not have, and
 * tells the draft of a router, whose paths begin with `draft.`, from what is live.
 */
export function auditedValues({ action, draft = false, values }: PlannedChange): readonly ValueChange[] {
  if (action === 'archive') return [ARCHIVED, ...values];
  if (!draft) return values;
  // Whether a router is published is never part of its draft.
  return values.map((each) => (each.path === 'published' ? each : { ...each, path: `draft.${each.path}` }));
}

import type { RulesStep, Trace } from '../model/trace.js';

/** Rules passed over are left out of a trace that has as many bytes as JSON. Candidates never are. */
const TRACE_BYTES = 8 * 1024;

/**
 * Shortens a trace that is too large: lists fewer of the rules that were passed over, and keeps their count.
 * A trace without such a list stays as it is.
 */
export function fitTrace(trace: Trace): Trace {
  const rules = trace.find((step) => step.step === 'rules');
  if (rules?.first_passed_over === undefined) return trace;
  let excess = bytes(trace) - (TRACE_BYTES - 1);
  if (excess <= 0) return trace;
  const kept = [...rules.first_passed_over];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    excess -= bytes(last) + 1;
    if (excess <= 0) break;
  }
  const { first_passed_over: _, saw, ...rest } = rules;
  const shorter: RulesStep = {
    ...rest,
    ...(kept.length === 0 ? {} : { first_passed_over: kept, ...(saw === undefined ? {} : { saw }) }),
  };
  return trace.map((step) => (step === rules ? shorter : step));
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

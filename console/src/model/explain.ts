import type { components } from '../api/schema';
import { word, type Say } from './say';

type Schemas = components['schemas'];
export type TraceStep = Schemas['TraceStep'];
export type Condition = Schemas['TraceCondition'];
type StepOf<K extends TraceStep['step']> = Extract<TraceStep, { step: K }>;

/** People who were out, for the same reasons, with the numbers that were compared. */
export interface Out {
  user: string;
  why: string;
}

/** One entry of a trace, in words, with what it weighed. */
export interface Line {
  step: TraceStep['step'];
  /** Whether it led on: a rule matched, somebody is available. Null: neither. */
  ok: boolean | null;
  /** Which pool it was about. */
  where: string[];
  text: string[];
  /** Groups of conditions: one group must hold as a whole. */
  groups?: Condition[][];
  /** Rules that were passed over: the name, and what did not hold. */
  passed?: { rule: string; because: string[] }[];
  saw?: [field: string, value: string | null][];
  in?: string[];
  out?: Out[];
  table?: { columns: string[]; rows: (string | number)[][]; chosen: string };
}

/** Every entry of a trace as a line, in its order. */
export function explain(trace: readonly TraceStep[], say: Say): Line[] {
  return trace.map((step) => ({ step: step.step, where: placeOf(step, say), ...lineOf(step, say) }));
}

type Said = Omit<Line, 'step' | 'where'>;

function lineOf(step: TraceStep, say: Say): Said {
  switch (step.step) {
    case 'router':
      return {
        ok: false,
        text: [say.t(step.published ? 'engine.said.router_no_settings' : 'engine.said.router_unpublished')],
      };
    case 'trigger': {
      const groups = step.groups;
      const said = !step.matched ? 'trigger_no' : groups.length === 0 ? 'trigger_all' : 'trigger_yes';
      return { ok: step.matched, text: [say.t(`engine.said.${said}`)], groups };
    }
    case 'rules':
      return rulesLine(step, say);
    case 'overwrite': {
      const owner = step.owner === null ? '' : say.person(step.owner);
      const reasons = checks(step.unavailable, say);
      return { ok: step.allowed, text: [say.t(`engine.said.overwrite.${step.because}`, { owner, reasons })] };
    }
    case 'account_matching': {
      const values = {
        owner: say.person(step.owner ?? ''),
        host: step.host ?? '',
        reasons: checks(step.reasons, say),
      };
      const ok = step.outcome === 'assigned' ? true : null;
      return { ok, text: [say.t(`engine.said.account.${step.outcome}`, values)] };
    }
    case 'eligibility':
      return eligibilityLine(step, say);
    case 'ignore_working_hours':
      return { ok: null, text: [say.t('engine.said.ignored', { count: step.candidates })] };
    case 'distribution':
      return distributionLine(step, say);
    case 'default_user': {
      const values = { user: say.person(step.user ?? ''), reasons: checks(step.reasons, say, step.saw) };
      return { ok: step.outcome === 'assigned', text: [say.t(`engine.said.backup.${step.outcome}`, values)] };
    }
    case 'already_owner':
      return { ok: true, text: [say.t('engine.said.already_owner', { user: say.person(step.user) })] };
  }
}

function rulesLine(step: StepOf<'rules'>, { t }: Say): Said {
  const { matched, passed_over: count, refuses, otherwise, groups } = step;
  const text =
    matched === null
      ? [t('engine.said.none_matched', { count })]
      : [t(refuses === true ? 'engine.said.rule_refuses' : 'engine.said.rule_matched', { rule: matched })];
  if (matched !== null && count > 0) text.push(t('engine.said.passed_over', { count }));
  if (otherwise !== undefined) text.push(t(`engine.said.otherwise.${otherwise}`));
  return {
    ok: matched !== null && refuses !== true,
    text,
    ...(groups !== undefined && { groups }),
    passed: (step.first_passed_over ?? []).map(([rule = '', ...because]) => ({ rule, because })),
    saw: (step.saw ?? []) as [string, string | null][],
  };
}

function eligibilityLine(step: StepOf<'eligibility'>, say: Say): Said {
  const { listed_before: before } = step;
  const count = step.in.length;
  const text = [
    count === 0 ? say.t('engine.said.available_none') : say.t('engine.said.available', { count }),
  ];
  if (before !== undefined) text.push(say.t('engine.said.listed_before', { count: before }));
  return { ok: count > 0, text, in: step.in, out: outOf(step, say) };
}

/** Who was out, each with the reasons. */
function outOf({ out }: StepOf<'eligibility'>, say: Say): Out[] {
  return out.flatMap(({ reasons, users, saw }) =>
    users.map((user, index) => ({ user, why: checks(reasons, say, saw?.[index]) })),
  );
}

function distributionLine(step: StepOf<'distribution'>, say: Say): Said {
  const { chosen, rule, columns, rows, without_share: without } = step;
  const text = [say.t('engine.said.chosen', { user: say.person(chosen), why: word(say.t, 'rules', rule) })];
  if (without !== undefined) {
    text.push(say.t('engine.said.without_share', { users: say.list(without.map(say.person)) }));
  }
  return { ok: true, text, table: { columns, rows, chosen } };
}

/** The step and the team that an entry is about, where there are several. */
function placeOf(step: TraceStep, { t }: Say): string[] {
  const place =
    'place' in step && step.place !== undefined ? [t('engine.said.step', { place: step.place })] : [];
  if (step.step === 'eligibility' && step.team !== undefined) {
    return [...place, t('engine.said.team', { team: step.team })];
  }
  if (step.step !== 'distribution' || step.among === 'users') return place;
  const among = step.among === 'teams' ? 'among_teams' : 'among_team';
  return [...place, t(`engine.said.${among}`, { team: step.among })];
}

function checks(reasons: readonly string[] | undefined, { t, list }: Say, saw = ''): string {
  const said = list((reasons ?? []).map((reason) => word(t, 'checks', reason)));
  return saw === '' ? said : `${said}, ${saw}`;
}

/** What a decision is said of: an entry of the log, and what the pool is called. */
interface Decided {
  user: string | null;
  reason: string;
  trace: readonly TraceStep[] | null;
  pool: string;
}

/** The most people who are out that the sentence names. */
const NAMED = 3;

/** Who got it and why, and who was out, in a sentence or two. */
export function sentence(decided: Decided, say: Say): string {
  const { t } = say;
  const steps = decided.trace ?? [];
  const out = steps.flatMap((step) => (step.step === 'eligibility' ? outOf(step, say) : []));
  // Whoever was weighed was no longer out: where nobody else was, hours do not count.
  const weighed = new Set(
    steps.flatMap((step) => (step.step === 'distribution' ? step.rows : [])).map(([user]) => user),
  );
  const named = [...new Map(out.map((each) => [each.user, each])).values()].filter(
    ({ user }) => user !== decided.user && !weighed.has(user),
  );
  const more = named.length - NAMED;
  const list = named
    .slice(0, NAMED)
    .map(({ user, why }) => t('engine.sentence.out_one', { user: say.person(user), why }));
  if (more > 0) list.push(t('engine.sentence.out_more', { count: more }));
  const first = decidedBy(decided, steps, say);
  return list.length === 0 ? first : `${first} ${t('engine.sentence.out', { list: say.list(list) })}`;
}

function decidedBy({ user, reason, pool }: Decided, steps: readonly TraceStep[], say: Say): string {
  const { t } = say;
  const because = word(t, 'reasons', reason);
  if (user === null || reason === 'owner_present') return t('engine.sentence.nobody', { reason: because });
  const values = { user: say.person(user), reason: because };
  if (reason === 'account_matched' || reason === 'default_user' || reason === 'already_owner') {
    return t(`engine.sentence.${reason}`, values);
  }
  const turn = steps.findLast((step) => step.step === 'distribution');
  if (turn === undefined) return t('engine.sentence.other', values);
  const said = { ...values, pool, model: word(t, 'models', turn.model), why: word(t, 'rules', turn.rule) };
  const owed = owedOf(turn);
  return owed === null
    ? t('engine.sentence.turn', said)
    : t('engine.sentence.turn_credit', { ...said, credit: say.credit(owed) });
}

/** What the chosen one was owed as the turn was taken: the credit before, and the share of this turn. */
function owedOf({ chosen, columns, rows }: StepOf<'distribution'>): number | null {
  const [share, credit] = [columns.indexOf('share'), columns.indexOf('credit')];
  const row = rows.find(([candidate]) => candidate === chosen);
  const [a, b] = [row?.[share], row?.[credit]];
  return typeof a === 'number' && typeof b === 'number' ? a + b : null;
}

/** The people whom a trace names, in its order. */
export function peopleIn(trace: readonly TraceStep[]): string[] {
  const all = trace.flatMap((step) => {
    if (step.step === 'eligibility') return [...step.out.flatMap(({ users }) => users), ...step.in];
    if (step.step === 'distribution') return [step.chosen];
    if (step.step === 'already_owner') return [step.user];
    if (step.step === 'default_user') return step.user === null ? [] : [step.user];
    return step.step === 'overwrite' || step.step === 'account_matching' ? [step.owner ?? ''] : [];
  });
  return [...new Set(all)].filter((name) => name.includes('@'));
}

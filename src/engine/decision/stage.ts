import type { User } from '../../directory/user.js';
import type { Examine, Verdict } from '../eligibility/checks.js';
import { reconcileLedger } from '../ledger/ledger.js';
import type { DecisionInput } from '../model/decision.js';
import type { RouterSettings } from '../model/router-configuration.js';
import { EMPTY_ROTATION_STATE, type RotationState } from '../model/rotation.js';
import type { StepOf, TraceStep } from '../model/trace.js';
import type { TurnEntry } from '../models/distribution-model.js';
import type { Candidate, PoolGroup } from '../pool/pool.js';
import type { Stage } from './plan.js';

/** A turn: the user, the state of the rotation after it, and the steps for the trace. */
export interface StageTurn {
  readonly stage: Stage;
  readonly user: User;
  readonly rotation: RotationState;
  /** Key of the team that took the turn; null for a turn of users. */
  readonly team: string | null;
  readonly steps: readonly StepOf<'distribution'>[];
}

/** The turn that one of the stages gives, or why none does. */
export interface StageResult {
  readonly turn: StageTurn | null;
  /** Whether checks of the group `workload` alone exclude at least one user. */
  readonly limited: boolean;
}

/** How a turn is taken, and where its steps are added. */
interface Turning extends Pick<RouterSettings, 'ignoreWorkingHours'> {
  readonly examine: Examine;
  readonly trace: TraceStep[];
}

/** A candidate with what the checks say: the trace, the conditions and the turn all use these. */
interface Examined {
  readonly key: string;
  readonly weight: bigint;
  readonly verdict: Verdict;
}

interface Group extends Pick<PoolGroup, 'key' | 'name'> {
  readonly weight: bigint;
  readonly candidates: readonly Examined[];
}

interface ExaminedStage {
  readonly stage: Stage;
  readonly groups: readonly Group[];
}

/**
 * Takes a turn among the eligible users of the first stage that has some. If none has, `ignoreWorkingHours`
 * is set and every available user is outside working hours, then users whom only working hours exclude count
 * as eligible, and the stages are tried again.
 *
 * Members of weight 0 are never chosen, so they do not affect these conditions.
 */
export function turnOf(
  stages: readonly Stage[],
  input: DecisionInput,
  { ignoreWorkingHours, examine, trace }: Turning,
): StageResult {
  const take = (examined: ExaminedStage, isIn: (verdict: Verdict) => boolean): StageTurn | null => {
    const turn = takeTurns(examined, input, isIn);
    trace.push(...(turn?.steps ?? []));
    return turn;
  };
  const tried: ExaminedStage[] = [];
  const listed = new Set<string>();
  for (const stage of stages) {
    const examined = { stage, groups: groupsOf(stage, input, examine) };
    const eligibility = eligibilitySteps(examined, listed);
    trace.push(...eligibility);
    const turn = take(examined, ({ reasons }) => reasons.length === 0);
    if (turn !== null) return { turn, limited: false };
    tried.push(examined);
    for (const { users } of eligibility.flatMap(({ out }) => out))
      for (const email of users) listed.add(email);
  }

  const contenders = contendersOf(tried);
  const isFree = ({ groups }: Verdict): boolean => [...groups].every((group) => group === 'working_hours');
  const available = contenders.filter(({ groups }) => !groups.has('availability'));
  const waived = ignoreWorkingHours && available.every(({ groups }) => groups.has('working_hours'));
  if (waived && stages.length > 0) {
    trace.push({ step: 'ignore_working_hours', candidates: contenders.filter(isFree).length });
    for (const examined of tried) {
      const turn = take(examined, isFree);
      if (turn !== null) return { turn, limited: false };
    }
  }
  const isLimited = ({ groups }: Verdict): boolean =>
    groups.has('workload') &&
    [...groups].every((group) => group === 'workload' || (waived && group === 'working_hours'));
  return { turn: null, limited: contenders.some(isLimited) };
}

/** Those of the pools who have a weight, each once: a user can be in several teams and stages. */
function contendersOf(tried: readonly ExaminedStage[]): readonly Verdict[] {
  const groups = tried.flatMap((stage) => stage.groups).filter(({ weight }) => weight > 0n);
  const weighty = groups.flatMap(({ candidates }) => candidates).filter(({ weight }) => weight > 0n);
  return [...new Map(weighty.map(({ verdict }) => [verdict.email, verdict])).values()];
}

/** The key of a user in a ledger: the id, or the e-mail if no id is known. */
export function memberKey({ id, email }: Candidate, users: ReadonlyMap<string, User>): string {
  return id ?? users.get(email)?.id ?? email;
}

function groupsOf({ pool, model }: Stage, { users }: DecisionInput, examine: Examine): readonly Group[] {
  const examined = (candidate: Candidate): Examined => ({
    key: memberKey(candidate, users),
    weight: model.weigh(candidate.portion),
    verdict: examine(candidate.email),
  });
  return pool.groups.map(({ key, name, portion, candidates }) => ({
    key,
    name,
    weight: key === null ? 1n : model.weigh(portion),
    candidates: candidates.map(examined),
  }));
}

/**
 * One step for those who are listed directly, if there are some, and one for each team.
 * @param listed who is out in the stages before: has the same verdict in this one, and is only counted
 */
function eligibilitySteps(
  { stage, groups }: ExaminedStage,
  listed: ReadonlySet<string>,
): readonly StepOf<'eligibility'>[] {
  return groups
    .filter(({ key, candidates }) => key !== null || candidates.length > 0 || groups.length === 1)
    .map(({ key, name, candidates }) => {
      const others = candidates.filter(({ verdict }) => !listed.has(verdict.email));
      const before = candidates.length - others.length;
      const step = { step: 'eligibility', ...placeOf(stage), ...(key !== null && { team: name }) } as const;
      return { ...step, ...sides(others), ...(before > 0 ? { listed_before: before } : {}) };
    });
}

function sides(candidates: readonly Examined[]): Pick<StepOf<'eligibility'>, 'in' | 'out'> {
  const eligible: string[] = [];
  const out = new Map<string, { reasons: readonly string[]; users: string[]; saw: string[] }>();
  for (const { verdict } of candidates) {
    const { email, reasons, saw } = verdict;
    if (reasons.length === 0) {
      eligible.push(email);
      continue;
    }
    const alike = out.get(reasons.join()) ?? { reasons, users: [], saw: [] };
    out.set(reasons.join(), alike);
    alike.users.push(email);
    alike.saw.push(saw);
  }
  const shown = [...out.values()].map(({ saw, ...group }) => ({
    ...group,
    ...(saw.some(Boolean) && { saw }),
  }));
  return { in: eligible, out: shown };
}

/** What tells the steps of a trace apart, where there are several pools. */
function placeOf({ place }: Stage): { readonly place?: number } {
  return place === 0 ? {} : { place };
}

/**
 * Takes the next turn of a pool: among the users, or the teams and then the members of the chosen one. A
 * team without an eligible member keeps its credit. Null if nobody can be chosen.
 */
function takeTurns(
  { stage, groups }: ExaminedStage,
  input: DecisionInput,
  isIn: (verdict: Verdict) => boolean,
): StageTurn | null {
  const { model, rotationKey, pool } = stage;
  const { seq: given, ledgers: before } = input.rotations.get(rotationKey) ?? EMPTY_ROTATION_STATE;
  const seq = given + 1;
  const entriesOf = ({ candidates }: Group): TurnEntry[] =>
    candidates.map(({ key, weight, verdict }) => {
      const users = verdict.user !== undefined && isIn(verdict) ? [verdict.user] : [];
      return { key, label: verdict.email, weight, users };
    });
  const ledgers = new Map(before);
  const steps: StepOf<'distribution'>[] = [];
  // Takes a turn in one ledger. Where no eligible member has a weight, the ledger does not change.
  const take = (name: string, among: string, members: readonly TurnEntry[]): TurnEntry | undefined => {
    const present = members.filter(({ users }) => users.length > 0);
    const entries = present.filter(({ weight }) => weight > 0n);
    if (entries.length === 0) return undefined;
    const turn = { entries, ledger: reconcileLedger(before.get(name), members), seq, input };
    const { entry, ledger, explanation } = model.distribute(turn);
    const weightless = present.filter(({ weight }) => weight <= 0n).map(({ label }) => label);
    ledgers.set(name, ledger);
    const chosen = { model: model.id, among, chosen: entry.label, ...explanation };
    const without = weightless.length > 0 && { without_share: weightless };
    steps.push({ step: 'distribution', ...placeOf(stage), ...chosen, ...without });
    return entry;
  };
  if (pool.rotationType === 'teams') {
    const keys = new Set(groups.map(({ key }) => key));
    for (const name of before.keys()) if (name.startsWith('team:') && !keys.has(name)) ledgers.delete(name);
  }
  const members = groups.flatMap((group): TurnEntry[] => {
    const { key, name, weight } = group;
    const entries = entriesOf(group);
    return key === null
      ? entries
      : [{ key, label: name, weight, users: entries.flatMap(({ users }) => users) }];
  });
  const first = take(pool.rotationType, pool.rotationType, members);
  const team = groups.find(({ key }) => key !== null && key === first?.key);
  const last = team?.key == null ? first : take(team.key, team.name, entriesOf(team));
  const user = last?.users[0];
  if (user === undefined) return null;
  return { stage, user, rotation: { seq, ledgers }, team: team?.key ?? null, steps };
}

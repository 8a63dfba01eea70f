import type { User } from '../../directory/user.js';
import type { Verdict } from '../eligibility/examine.js';
import { reconcileLedger } from '../ledger/ledger.js';
import type { DecisionInput } from '../model/decision.js';
import type { Ledger, RotationState } from '../model/rotation.js';
import type { DistributionStep, EligibilityStep, TraceStep } from '../model/trace.js';
import type { TurnEntry } from '../models/distribution-model.js';
import type { Candidate } from '../pool/pool.js';
import type { Stage } from './plan.js';

/** A turn: the user, the state after it, and the steps for the trace. */
export interface StageTurn {
  readonly user: User;
  readonly rotation: RotationState;
  /** Key of the team that took the turn; null for a turn of users. */
  readonly team: string | null;
  readonly steps: readonly DistributionStep[];
}

/** The turn that a stage gives, or why it gives none. */
export interface StageResult {
  /** Null if no user is eligible. */
  readonly turn: StageTurn | null;
  /** Whether checks of the group `workload` alone exclude at least one user. */
  readonly limited: boolean;
  readonly steps: readonly TraceStep[];
}

/** Parts of a turn besides the stage and the input. */
export interface StageOptions {
  /** The setting `ignore_working_hours`. */
  readonly ignoreWorkingHours: boolean;
  /** Runs the eligibility checks on the user with that e-mail. */
  readonly examine: (email: string) => Verdict;
}

/** A candidate with what the checks say: the trace, the conditions and the turn all use these. */
interface Examined {
  readonly key: string;
  readonly weight: bigint;
  readonly verdict: Verdict;
}

/** The candidates of a team, or those who are listed directly. */
interface Group {
  /** The team; undefined for those who are listed directly. */
  readonly team: { readonly key: string; readonly name: string } | undefined;
  readonly weight: bigint;
  readonly candidates: readonly Examined[];
}

/** A user or a team that a ledger has. */
interface Member {
  readonly key: string;
  readonly label: string;
  readonly weight: bigint;
  /** The eligible users: at most the user, or members of the team. */
  readonly users: readonly User[];
}

/**
 * Takes a turn among the eligible users of a pool. If there are none, `ignoreWorkingHours` is set and every
 * available user is outside working hours, then users whom only working hours exclude count as eligible and
 * take the turn.
 *
 * Members of weight 0 are never chosen, so they do not affect these conditions.
 */
export function turnOf(stage: Stage, input: DecisionInput, options: StageOptions): StageResult {
  const groups = groupsOf(stage, input, options.examine);
  const steps: TraceStep[] = groups
    .filter(({ team, candidates }) => team !== undefined || candidates.length > 0 || groups.length === 1)
    .map(eligibilityStep);
  const weighty = groups.filter(({ weight }) => weight > 0n).flatMap(({ candidates }) => candidates);
  const verdicts = weighty.filter(({ weight }) => weight > 0n).map(({ verdict }) => verdict);
  // A user can be in several teams.
  const contenders = [...new Map(verdicts.map((verdict) => [verdict.email, verdict])).values()];

  let turn = takeTurns(stage, input, { groups, isIn: (verdict) => verdict.reasons.length === 0 });
  const isFree = ({ groups: failed }: Verdict): boolean =>
    [...failed].every((group) => group === 'working_hours');
  const available = contenders.filter((verdict) => !verdict.groups.has('availability'));
  const waived =
    turn === null &&
    options.ignoreWorkingHours &&
    available.every((verdict) => verdict.groups.has('working_hours'));
  if (waived) {
    steps.push({ step: 'ignore_working_hours', candidates: contenders.filter(isFree).length });
    turn = takeTurns(stage, input, { groups, isIn: isFree });
  }
  const isLimited = ({ groups: failed }: Verdict): boolean =>
    failed.has('workload') &&
    [...failed].every((group) => group === 'workload' || (waived && group === 'working_hours'));
  return {
    turn,
    limited: turn === null && contenders.some(isLimited),
    steps: [...steps, ...(turn?.steps ?? [])],
  };
}

/** The key of a user in a ledger: the id, or the e-mail if no id is known. */
export function memberKey({ id, email }: Candidate, users: ReadonlyMap<string, User>): string {
  return id ?? users.get(email)?.id ?? email;
}

/** Those who are listed directly first, then the teams. */
function groupsOf(
  { pool, model }: Stage,
  { users }: DecisionInput,
  examine: StageOptions['examine'],
): readonly Group[] {
  const examined = (candidate: Candidate): Examined => ({
    key: memberKey(candidate, users),
    weight: model.weigh(candidate.portion),
    verdict: examine(candidate.email),
  });
  return [
    { team: undefined, weight: 1n, candidates: pool.candidates.map(examined) },
    ...pool.teams.map(({ key, name, portion, candidates }) => ({
      team: { key, name },
      weight: model.weigh(portion),
      candidates: candidates.map(examined),
    })),
  ];
}

function eligibilityStep({ team, candidates }: Group): EligibilityStep {
  const eligible: string[] = [];
  const out = new Map<string, { reasons: readonly string[]; users: string[]; saw: string[] }>();
  for (const { verdict } of candidates) {
    const { email, reasons, saw } = verdict;
    const alike = out.get(reasons.join());
    if (reasons.length === 0) eligible.push(email);
    else if (alike === undefined) out.set(reasons.join(), { reasons, users: [email], saw: [saw] });
    else {
      alike.users.push(email);
      alike.saw.push(saw);
    }
  }
  return {
    step: 'eligibility',
    ...(team === undefined ? {} : { team: team.name }),
    in: eligible,
    out: [...out.values()].map(({ saw, ...group }) =>
      saw.every((each) => each === '') ? group : { ...group, saw },
    ),
  };
}

/**
 * Takes the next turn of a pool: among the users, or among the teams and then among the members of the chosen
 * team. A team without an eligible member is not considered and its credit stays. Null if no user can be
 * chosen.
 */
function takeTurns(
  stage: Stage,
  input: DecisionInput,
  {
    groups: [direct, ...teams],
    isIn,
  }: { readonly groups: readonly Group[]; readonly isIn: (verdict: Verdict) => boolean },
): StageTurn | null {
  const { seq, ledgers: before } = input.rotation;
  const eligible = ({ verdict }: Examined): User[] =>
    verdict.user !== undefined && isIn(verdict) ? [verdict.user] : [];
  const member = (each: Examined): Member => ({
    key: each.key,
    label: each.verdict.email,
    weight: each.weight,
    users: eligible(each),
  });
  const ledgers = new Map(before);
  const steps: DistributionStep[] = [];
  const take = (name: string, among: string, members: readonly Member[]): TurnEntry | undefined => {
    const taken = takeTurn(stage, input, { among, members, stored: before.get(name) });
    if (taken === null) return undefined;
    ledgers.set(name, taken.ledger);
    steps.push(taken.step);
    return taken.entry;
  };
  const singles = (direct?.candidates ?? []).map(member);
  const taken = (entry: TurnEntry | undefined, team: string | null): StageTurn | null => {
    const user = entry?.users[0];
    return user === undefined ? null : { user, rotation: { seq: seq + 1, ledgers }, team, steps };
  };
  if (stage.pool.rotationType === 'users') return taken(take('users', 'users', singles), null);

  const byKey = new Map(teams.flatMap((group) => (group.team ? [[group.team.key, group] as const] : [])));
  for (const name of before.keys()) {
    if (name.startsWith('team:') && !byKey.has(name)) ledgers.delete(name);
  }
  const members = [...byKey].map(([key, { team, weight, candidates }]): Member => ({
    key,
    label: team?.name ?? key,
    weight,
    users: candidates.flatMap(eligible),
  }));
  const first = take('teams', 'teams', [...singles, ...members]);
  const group = first && byKey.get(first.key);
  if (group?.team === undefined) return taken(first, null);
  const { key, name } = group.team;
  return taken(take(key, name, group.candidates.map(member)), key);
}

/**
 * Takes a turn in one ledger, after updating it to the present members. Null if no eligible member has a
 * weight; then the ledger does not change.
 */
function takeTurn(
  { model }: Stage,
  input: DecisionInput,
  {
    among,
    members,
    stored,
  }: {
    /** Their name in the trace: `users`, `teams` or the name of a team. */
    readonly among: string;
    readonly members: readonly Member[];
    /** Their ledger after the previous turn; undefined for none. */
    readonly stored: Ledger | undefined;
  },
): { readonly entry: TurnEntry; readonly ledger: Ledger; readonly step: DistributionStep } | null {
  const present = members.filter(({ users }) => users.length > 0);
  const entries = present.filter(({ weight }) => weight > 0n);
  if (entries.length === 0) return null;
  const turn = { entries, ledger: reconcileLedger(stored, members), seq: input.rotation.seq + 1, input };
  const { entry, ledger, explanation } = model.distribute(turn);
  const weightless = present.filter(({ weight }) => weight <= 0n).map(({ label }) => label);
  const step: DistributionStep = {
    step: 'distribution',
    model: model.id,
    among,
    chosen: entry.label,
    ...explanation,
    ...(weightless.length > 0 ? { without_share: weightless } : {}),
  };
  return { entry, ledger, step };
}

import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { AssignmentsRepository } from '../../assignments/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database, firstIdAt, isId } from '../../database/index.js';
import { creditToNumber, memberKey, type RotationState, type Stage } from '../../engine/index.js';
import { invalidField, notFound } from '../../errors/errors.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { RotationsRepository } from '../rotations/rotations.repository.js';
import { RouterSnapshots, type RouterSnapshot } from '../snapshot/router-snapshots.js';
import { TurnTally } from './turn-tally.js';

const DAY = 86_400_000;
/** Entries of the log and candidates of turns at most, in all and at once. */
const MOST = { entries: 20_000, candidates: 500_000 };
const AT_ONCE = { entries: 500, candidates: 50_000 };
/** Entries that are read first: those of a large pool may have thousands of candidates each. */
const FIRST = 20;
/** Most points of a history, and most credits that histories have together. */
const POINTS = 200;
const MOST_CREDITS = 60_000;

/** Of which turns fairness is asked for. */
export interface FairnessQuery {
  /** 30 days before `to` unless given. */
  readonly from?: Date | undefined;
  /** Now unless given. */
  readonly to?: Date | undefined;
  /** Name of a rule; all rotations of the router unless given. */
  readonly rule?: string | undefined;
}

/** The turns that are asked for. */
interface Period {
  readonly routerId: string;
  readonly rule: string | undefined;
  readonly since: Date;
  readonly until: Date;
}

/** The rotation of stages, and what is theirs. */
interface ListedRotation {
  readonly rule: string | null;
  readonly name: string;
  readonly stage: Stage;
}

/** Says how turns were shared (contract section 11.1). */
@Injectable()
export class FairnessService {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: RouterSnapshots,
    private readonly assignments: AssignmentsRepository,
    private readonly rotations: RotationsRepository,
  ) {}

  /** @throws DomainError 404 for an unknown router; 400 for a period that ends before it begins */
  read(account: AccountContext, id: string, { from, to, rule }: FairnessQuery) {
    const until = to ?? new Date();
    const since = from ?? new Date(until.getTime() - 30 * DAY);
    if (since >= until) throw invalidField('to', 'to must be later than from');
    if (!isId(id)) throw notFound('Router not found');
    return this.configurations.use(account, async (configuration) => {
      if (!(await this.configurations.isCurrent(account, configuration))) return OUTDATED;
      const snapshot = this.snapshots.get(account, configuration, id.toLowerCase());
      const listed = listedRotations(snapshot, rule);
      const keys = listed.map(({ stage }) => ({ routerId: snapshot.id, key: stage.rotationKey }));
      const db = this.database.for(account);
      const states = new Map(
        (await this.rotations.read(db, account, keys)).map(({ key, state }) => [key, state]),
      );
      const tallies = new Map(keys.map(({ key }) => [key, new TurnTally()]));
      await this.tally(account, tallies, { routerId: snapshot.id, rule, since, until });
      const busy = [...tallies.values()].reduce((sum, { members }) => sum + members.size, 0);
      const points = Math.min(POINTS, Math.floor(MOST_CREDITS / Math.max(1, busy)));
      const rotations: ReturnType<typeof rotationView>[] = [];
      let bytes = 0;
      for (const each of listed) {
        const { rotationKey } = each.stage;
        const tally = tallies.get(rotationKey) ?? new TurnTally();
        const view = rotationView(snapshot, each, { tally, state: states.get(rotationKey), points, since });
        bytes += Buffer.byteLength(JSON.stringify(view));
        if (bytes > PAGE_BYTES) break;
        rotations.push(view);
        await breathe();
      }
      const more = rotations.length < listed.length ? { more: true as const } : {};
      return { from: since.toISOString(), to: until.toISOString(), rotations, ...more };
    });
  }

  /** Adds the turns of a period to the tallies of their rotations, newest first. */
  private async tally(
    account: AccountContext,
    tallies: ReadonlyMap<string, TurnTally>,
    { routerId, rule, since, until }: Period,
  ): Promise<void> {
    const db = this.database.for(account);
    const filters = new Map([['router', routerId] as const]);
    const kind = rule === undefined ? undefined : { rule };
    let behind = firstIdAt(until);
    for (let read = 0, seen = 0; ;) {
      const range = { from: since, to: until };
      const most = entriesAtOnce(read, seen);
      const rows = await this.assignments.turns(db, account, { filters, kind, range, behind, most });
      for (const row of rows) {
        seen += (row.steps ?? []).reduce((sum, [, , , candidates]) => sum + candidates.length, 0);
        if (row.rotation !== null) tallies.get(row.rotation)?.add(row);
      }
      read += rows.length;
      behind = rows.at(-1)?.id ?? behind;
      if (rows.length < most) break;
      if (read < MOST.entries && seen < MOST.candidates) continue;
      // What is before may be of any of them.
      for (const tally of tallies.values()) tally.cutAt(rows.at(-1)?.at);
      break;
    }
    for (const tally of tallies.values()) tally.finish();
  }
}

/** Says how many entries are read next, so that no answer of the database holds the process for long. */
export const entriesAtOnce = (read: number, seen: number): number =>
  read === 0
    ? FIRST
    : Math.max(1, Math.min(AT_ONCE.entries, Math.floor((AT_ONCE.candidates * read) / Math.max(1, seen))));

/** The rotations of a router, each once, in the order of its plan. */
function listedRotations({ compiled, name }: RouterSnapshot, rule: string | undefined): ListedRotation[] {
  const { plan } = compiled;
  if (plan === null) return [];
  const parts = [
    { rule: null, stages: plan.stages },
    ...plan.rules.map((each) => ({ rule: each.name, stages: each.stages })),
  ];
  const listed = new Map<string, ListedRotation>();
  for (const part of parts.filter((each) => rule === undefined || each.rule === rule)) {
    for (const stage of part.stages) {
      const whole = part.rule ?? name;
      const named = stage.place === 0 ? whole : `${whole}, step ${stage.place}`;
      if (!listed.has(stage.rotationKey))
        listed.set(stage.rotationKey, { rule: part.rule, name: named, stage });
    }
  }
  return [...listed.values()];
}

/** What is known of the turns of a rotation, and how many points of their history are shown. */
interface Turns extends Pick<Period, 'since'> {
  readonly tally: TurnTally;
  readonly state: RotationState | undefined;
  readonly points: number;
}

function rotationView(
  { directory }: RouterSnapshot,
  { rule, name, stage }: ListedRotation,
  { tally, state, points, since }: Turns,
) {
  const { pool, model, place } = stage;
  const countsCredit = model.usesCredit !== false;
  const members = pool.groups.flatMap((group) => {
    const ledger = state?.ledgers.get(group.key ?? pool.rotationType);
    const taken = tally.among.get(group.key === null ? pool.rotationType : group.name) ?? 0;
    const weights = group.candidates.map(({ portion }) => Number(model.weigh(portion)));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return group.candidates.map((candidate, n) => {
      const had = tally.members.get(candidate.email);
      const credit = ledger?.get(memberKey(candidate, directory.users))?.credit ?? 0n;
      return {
        user: candidate.email,
        weight: sum === 0 ? 0 : round((weights[n] ?? 0) / sum),
        credit: countsCredit ? creditToNumber(credit) : null,
        turns: had?.turns ?? 0,
        fair_share: countsCredit ? round(had?.fairShare ?? 0) : null,
        returned: had?.returned ?? 0,
        absent: Math.max(0, taken - (had?.present ?? 0)),
        longest_run: had?.longestRun ?? 0,
        last_at: had?.lastAt?.toISOString() ?? null,
      };
    });
  });
  const { worst, isFixed, isCut, oldest, cutFrom } = tally;
  // The members of these turns, who may have left since.
  const size = [...tally.members.values()].filter(({ present }) => present > 0).length;
  const isBound = isFixed && countsCredit && pool.rotationType === 'users';
  return {
    rule,
    step: place,
    name,
    model: model.id,
    members,
    worst: worst === null ? null : { ...worst, at: worst.at.toISOString() },
    // Tijdeman (1980). Where presence changes there is none (ADR 5).
    bound: isBound
      ? { kind: 'fixed' as const, value: size < 2 ? 0 : round(1 - 1 / (2 * size - 2)) }
      : { kind: 'changing' as const, value: null },
    kept: !isCut,
    ...(isCut && { from: (oldest ?? cutFrom ?? since).toISOString() }),
    history: tally.thinned(points).map(({ at, credits }) => ({
      at: at.toISOString(),
      credits: Object.fromEntries([...credits].map(([label, credit]) => [tally.nameOf(label), credit])),
    })),
  };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

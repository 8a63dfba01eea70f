import { CREDIT_UNIT } from '../../src/engine/ledger/credit.js';
import { distributeByCredit } from '../../src/engine/models/models.js';
import { reconcileLedger } from '../../src/engine/ledger/ledger.js';
import type { Ledger } from '../../src/engine/model/rotation.js';
import { input, user } from './engine-fixtures.js';

/** A member of a simulated pool. */
export interface SimulatedMember {
  readonly key: string;
  readonly weight: bigint;
}

/** A rotation of one ledger, for tests of fairness. */
export class RotationSimulation {
  rotation: Ledger = new Map();
  /** Assignments of each member so far. */
  readonly counts = new Map<string, number>();
  private seq = 0;
  private readonly input = input();

  constructor(public pool: readonly SimulatedMember[]) {}

  /** Takes a turn among the members present, given in pool order. Returns the key of the chosen one. */
  turn(present: readonly SimulatedMember[] = this.pool): string {
    this.seq += 1;
    const { entry, ledger } = distributeByCredit({
      entries: present.map((member) => ({ ...member, label: member.key, users: [user(member.key)] })),
      ledger: reconcileLedger(this.rotation, this.pool),
      seq: this.seq,
      input: this.input,
    });
    this.rotation = ledger;
    this.counts.set(entry.key, (this.counts.get(entry.key) ?? 0) + 1);
    return entry.key;
  }

  /** The credits in the order of the rotation. */
  get credits(): bigint[] {
    return [...this.rotation.values()].map((member) => member.credit);
  }

  /** The largest absolute credit, in assignments. */
  get worst(): number {
    return Math.max(...this.credits.map((credit) => Math.abs(Number(credit) / Number(CREDIT_UNIT))));
  }
}

/** Members `m0`, `m1`, … with the given weights. */
export function members(...weights: readonly number[]): SimulatedMember[] {
  return weights.map((weight, index) => ({ key: `m${index}`, weight: BigInt(weight) }));
}

/** Pseudo-random numbers in [0, 1); the same seed gives the same numbers (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

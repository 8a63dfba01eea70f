import type { TurnToReturn } from '../../assignments/index.js';
import { returnTurn, type RotationState } from '../../engine/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import type { RouterChanges, TakenBack } from './decided.js';

/** What one router's decisions change, from one to the next. */
export class RouterState {
  private readonly moved = new Map<string, RotationState>();
  private readonly takenBack: TakenBack[] = [];
  private readonly settled: string[] = [];

  /** @param rotations those that were read, by key */
  constructor(
    private readonly snapshot: RouterSnapshot,
    readonly rotations: Map<string, RotationState>,
  ) {}

  /** Takes over the state of a rotation that has changed. */
  move(key: string, state: RotationState): void {
    this.rotations.set(key, state);
    this.moved.set(key, state);
  }

  /** Returns a turn to its rotation. @returns false where that rotation was not read */
  giveBack({ rotationKey, team, ...turn }: Omit<TurnToReturn, 'id' | 'routerId'>): boolean {
    const rotation = this.rotations.get(rotationKey);
    if (rotation === undefined) return false;
    const { compiled, directory } = this.snapshot;
    const { users, names } = directory;
    const oldOwner = names.emailOf(turn.oldOwner);
    const newOwner = turn.newOwner === null ? null : names.emailOf(turn.newOwner);
    const state = returnTurn(compiled, { rotationKey, team, oldOwner, newOwner }, { rotation, users });
    if (state !== rotation) this.move(rotationKey, state);
    return true;
  }

  /** Returns turns that are owed since an earlier transaction. */
  settle(turns: readonly TurnToReturn[]): void {
    for (const turn of turns) {
      this.giveBack(turn);
      this.settled.push(turn.id);
    }
  }

  /** Notes an assignment that a decision of this router takes back. */
  note(taken: TakenBack): void {
    this.takenBack.push(taken);
  }

  /** Returns what has changed. */
  get changes(): RouterChanges {
    return { rotations: this.moved, takenBack: this.takenBack, settled: this.settled };
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Background, isOutage, isWorkTooLong } from '../../database/index.js';
import type { RecordType } from '../record-key.js';
import { RecordIndexesRepository, type OpenIndex } from './record-indexes.repository.js';

/** Milliseconds between two looks at what is to be done. */
const INTERVAL_MS = 1_000;
/** The same at indexes of the last change that nobody uses any more. */
const UNUSED_INTERVAL_MS = 3_600_000;
/** For how long one index is built before others have their turn. */
const TURN_MS = 10_000;
/** How long a part should take: values can be so large that fewer records must do. */
const ENOUGH_MS = 1_000;
/** Until an index that could not be built is tried again. */
const REST_MS = 60_000;
/** The most records of a part, which take some tens of milliseconds with most values. */
const MOST_RECORDS = 2_000;
/** Types whose searches this process keeps in mind. */
const MOST_ASKED = 10_000;

/** How an index is built: with how many records at once, and from when on. */
interface Pace {
  records: number;
  restsUntil: number;
}

/**
 * Builds the indexes of fields that were switched on and clears those that were switched off, in the
 * background and in small transactions. What a killed process has begun goes on where it was. Several
 * processes may run it: one is at an index at a time.
 */
@Injectable()
export class IndexJob {
  private readonly logger = new Logger(IndexJob.name);
  /** The day of the last search of each type, and the types whose day is not in the database. */
  private readonly asked = new Map<string, string>();
  private readonly unsaved = new Map<string, RecordType>();
  /** By the account and the id of the index. */
  private readonly paces = new Map<string, Pace>();
  private looksForUnusedAt = 0;

  constructor(
    private readonly indexes: RecordIndexesRepository,
    private readonly background: Background,
  ) {
    const failure = 'The indexes of fields could not be built';
    // Most commands have ended when it begins.
    const how = { every: INTERVAL_MS, isLater: true, failure };
    background.repeat({ ...how, name: 'indexes', run: () => this.run() });
  }

  /** Notes that a search can use the index of `updated_at`, which the type gets or keeps for it. */
  askUpdatedAt(type: RecordType): void {
    const key = `${type.accountId} ${type.objectType}`;
    const day = new Date().toISOString().slice(0, 10);
    if (this.asked.get(key) === day) return;
    if (this.asked.size >= MOST_ASKED) this.asked.clear();
    this.asked.set(key, day);
    this.unsaved.set(key, type);
  }

  /** Saves what was asked for, and goes on with each index. One that fails keeps no other waiting. */
  async run(): Promise<void> {
    for (const [key, type] of this.unsaved) {
      this.unsaved.delete(key);
      // After a failure, the next search asks again.
      await this.indexes.askUpdatedAt(type).catch((error: unknown) => {
        this.asked.delete(key);
        throw error;
      });
    }
    if (performance.now() >= this.looksForUnusedAt) {
      await this.indexes.dropUnused();
      this.looksForUnusedAt = performance.now() + UNUSED_INTERVAL_MS;
    }
    const open = await this.indexes.findOpen();
    const keys = new Set(open.map(keyOf));
    for (const key of this.paces.keys()) if (!keys.has(key)) this.paces.delete(key);
    for (const index of open) if (!this.background.isStopped()) await this.takeTurn(index);
  }

  private async takeTurn(index: OpenIndex): Promise<void> {
    const pace = this.paces.get(keyOf(index)) ?? { records: MOST_RECORDS, restsUntil: 0 };
    this.paces.set(keyOf(index), pace);
    if (performance.now() < pace.restsUntil) return;
    try {
      const end = performance.now() + TURN_MS;
      while (!this.background.isStopped() && performance.now() < end) {
        const started = performance.now();
        if (await this.indexes.advance(index, pace.records)) return;
        const ms = performance.now() - started;
        if (ms > ENOUGH_MS) pace.records = Math.ceil(pace.records / 2);
        else if (ms < ENOUGH_MS / 4) pace.records = Math.min(MOST_RECORDS, pace.records * 2);
        // Requests have the database for as long.
        await delay(ms);
      }
    } catch (error) {
      if (isOutage(error)) throw error;
      if (isWorkTooLong(error) && pace.records > 1) {
        // The next turn is with a smaller part, so that others wait for one attempt at most.
        pace.records = Math.floor(pace.records / 2);
        return;
      }
      pace.restsUntil = performance.now() + REST_MS;
      const { accountId, objectType, field, isDropped } = index;
      const done = isDropped ? 'cleared' : 'built';
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error(
        `The index of ${objectType}.${field} of account ${accountId} could not be ${done}: ${reason}`,
      );
    }
  }
}

const keyOf = ({ accountId, id }: OpenIndex): string => `${accountId} ${id}`;

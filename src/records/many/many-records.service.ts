import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, isRefusal, OUTDATED } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { RecordSelection } from '../record-validator.js';
import { recordView } from '../record-view.js';
import { RecordsService, shownIn } from '../records.service.js';
import { refusal, type Ended } from './ended.js';
import { inTurns } from './in-turns.js';
import { ManyRecordsRepository } from './many-records.repository.js';
import { WritePlanner, type PlannedWrite, type SoundWrite } from './write-planner.js';

/** Records of one type to create. */
export interface ManyCreates {
  readonly objectType: ObjectType;
  /** Values by internal name, of each, as in a request body (clause 2.4). */
  readonly fields: readonly unknown[];
  readonly selection: RecordSelection;
  /** Is told of each that has ended; what it throws ends all. */
  readonly onEnded?: (ended: Ended) => void;
}

/**
 * Writes many records as single requests would, one after the other, with few statements (ADR 32). The
 * context of the client must have a transaction.
 */
@Injectable()
export class ManyRecordsService {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly planner: WritePlanner,
    private readonly repository: ManyRecordsRepository,
    private readonly records: RecordsService,
  ) {}

  /**
   * Creates records.
   * @returns for each, in the order given, what `RecordsService.create` returns or throws
   */
  create(client: ClientContext, { objectType, fields, selection, onEnded }: ManyCreates): Promise<Ended[]> {
    const db = this.database.for(client);
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, selection };
      const planned = await this.planner.creates(client, configuration, sent);
      if (planned.some(isRefused) && !(await this.configurations.isCurrent(client, configuration)))
        return OUTDATED;
      const { version } = configuration;
      return inTurns<SoundWrite>(planned, {
        onEnded,
        together: async (writes) => {
          const records = writes.map(({ values }) => values);
          const rows = await this.repository.insert(db, client, { objectType, version, records });
          if (rows.every((row) => row === undefined)) return OUTDATED;
          return rows.map((row, index): Ended | undefined => {
            if (row === undefined) return undefined;
            if (row instanceof Error) return { error: row };
            const record = recordView(shownIn(configuration, row), writes[index]?.extras);
            return { status: 201, record };
          });
        },
        alone: (place) =>
          this.records
            .create(client, { objectType, fields: fields[place] }, selection)
            .then((record): Ended => ({ status: 201, record }), refusal),
      });
    });
  }
}

const isRefused = (planned: PlannedWrite): boolean =>
  planned !== 'alone' && 'error' in planned && isRefusal(planned.error);

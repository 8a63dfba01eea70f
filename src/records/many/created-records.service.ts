import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import {
  ConfigurationCache,
  isRefusal,
  OUTDATED,
  type AccountConfiguration,
} from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { RecordSelection } from '../record-validator.js';
import { recordView } from '../record-view.js';
import { RecordsService, shownIn } from '../records.service.js';
import { refusal, type Ended } from './ended.js';
import { inTurns, type Turns } from './in-turns.js';
import { CreatedRecordsRepository } from './created-records.repository.js';
import { WritePlanner, type PlannedWrite, type SoundWrite } from './write-planner.js';

/** Records of one type to create. */
export interface RecordsToCreate {
  readonly objectType: ObjectType;
  /** Values by internal name, of each, as in a request body (clause 2.4). */
  readonly fields: readonly unknown[];
  readonly selection: RecordSelection;
  /** Is told of each that has ended; what it throws ends all. */
  readonly onEnded?: (ended: Ended) => void;
}

/**
 * Creates many records as single requests would, one after the other, with few statements (ADR 32). The
 * context of the client must have a transaction.
 */
@Injectable()
export class CreatedRecordsService {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly planner: WritePlanner,
    private readonly repository: CreatedRecordsRepository,
    private readonly records: RecordsService,
  ) {}

  /**
   * Creates records.
   * @returns for each, in the order given, what `RecordsService.create` returns or throws
   */
  create(
    client: ClientContext,
    { objectType, fields, selection, onEnded }: RecordsToCreate,
  ): Promise<Ended[]> {
    return this.configurations.use(client, async (configuration) => {
      const plan = await this.planner.planning(client, configuration, { objectType, fields, selection });
      const planned = fields.map((each) => plan(each, 'create'));
      if (planned.some(isRefused) && !(await this.configurations.isCurrent(client, configuration)))
        return OUTDATED;
      return inTurns<SoundWrite>(planned, {
        onEnded,
        together: (writes) => this.together(client, configuration, { objectType, writes }),
        alone: (place) =>
          this.records
            .create(client, { objectType, fields: fields[place] }, selection)
            .then((record): Ended => ({ status: 201, record }), refusal),
      });
    });
  }

  /** Creates the first records, as many as no hook has steps in: see `Turns.together`. */
  private async together(
    client: ClientContext,
    configuration: AccountConfiguration,
    { objectType, writes }: { readonly objectType: ObjectType; readonly writes: readonly SoundWrite[] },
  ): ReturnType<Turns<SoundWrite>['together']> {
    const plain = await this.withoutSteps(client, configuration, { objectType, writes });
    const alone = plain.length < writes.length ? [undefined] : [];
    if (plain.length === 0) return alone;
    const { version } = configuration;
    const records = plain.map(({ values }) => values);
    const rows = await this.repository.insert(this.database.for(client), client, {
      objectType,
      version,
      records,
    });
    if (rows.every((row) => row === undefined)) return OUTDATED;
    const ended = rows.map((row, index): Ended | undefined => {
      if (row === undefined) return undefined;
      if (row instanceof Error) return { error: row };
      return { status: 201, record: recordView(shownIn(configuration, row), plain[index]?.extras) };
    });
    return [...ended, ...alone];
  }

  /** Returns the first creates, until hooks have steps in one. Hooks may read what is written by now. */
  private async withoutSteps(
    client: ClientContext,
    configuration: AccountConfiguration,
    { objectType, writes }: { readonly objectType: ObjectType; readonly writes: readonly SoundWrite[] },
  ): Promise<readonly SoundWrite[]> {
    for (const [index, { values }] of writes.entries()) {
      const { changes } = values;
      const create = { action: 'create', client, objectType, id: null, changes, configuration } as const;
      if (await this.planner.hasSteps(create)) return writes.slice(0, index);
    }
    return writes;
  }
}

const isRefused = (planned: PlannedWrite): boolean =>
  planned !== 'alone' && 'error' in planned && isRefusal(planned.error);

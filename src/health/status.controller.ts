import { Controller, Get } from '@nestjs/common';
import { RequireScope } from '../auth/http.js';
import {
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  closedObject,
  ID,
  integer,
  listOf,
  NoQueryParameters,
  orNull,
  text,
  TIME,
} from '../http/index.js';
import { StatusService } from './status.service.js';

const RELEASE = text('Such as `0.1.0`', 100);

const STATUS = {
  'application/json': {
    schema: closedObject({
      release: { ...RELEASE, description: 'Of the process that answers' },
      schema: closedObject({
        version: {
          ...orNull(text('Name of a migration', 200)),
          description: 'The last migration that was applied',
        },
        pending: { ...integer(0), description: 'Migrations of this release that were not' },
      }),
      database: closedObject({
        version: text('Of PostgreSQL', 200),
        nodes: {
          ...listOf(
            closedObject({
              name: text('`host:port`, as the database calls it', 300),
              state: {
                type: 'string',
                enum: ['ok', 'away', 'unknown'],
                description: 'Whether it answers; `unknown` where `DATABASE_URL` does not name it',
              },
              accounts: orNull(integer(0)),
              bytes: orNull(integer(0)),
            }),
          ),
          description:
            'Of a cluster; of plain PostgreSQL the server. `accounts` and `bytes` as of `measured_at`, null before',
        },
        largest_accounts: {
          ...listOf(closedObject({ account: ID, records: integer(0) })),
          description: 'The ten accounts with the most records, by id',
        },
        measured_at: {
          ...orNull(TIME),
          description: 'When sizes were measured last, which needs all nodes: every ten minutes',
        },
      }),
      processes: {
        ...listOf(
          closedObject({
            id: ID,
            release: RELEASE,
            started_at: TIME,
            seen_at: TIME,
            self: { type: 'boolean' },
          }),
        ),
        description:
          'Those that have served in the last minute, of all accounts; `self`: the one that answers',
      },
      pool: {
        ...closedObject({ size: integer(0), busy: integer(0), waiting: integer(0) }),
        description: 'Connections to the database, of the process that answers',
      },
      lags: {
        ...listOf(closedObject({ name: text('Of the work', 100), seconds: orNull(integer(0)) })),
        description:
          'By how many seconds work in the background of the process that answers is late; null before the first time',
      },
    }),
    examples: {
      example: {
        value: {
          release: '0.1.0',
          schema: { version: 'CreateProcesses1796020000000', pending: 0 },
          database: {
            version: '18.1',
            nodes: [{ name: '10.0.0.1:5432', state: 'unknown', accounts: 12, bytes: 734003200 }],
            largest_accounts: [{ account: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0f', records: 1048576 }],
            measured_at: '2026-06-11T08:00:16.789Z',
          },
          processes: [
            {
              id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
              release: '0.1.0',
              started_at: '2026-06-10T21:05:06.789Z',
              seen_at: '2026-06-11T08:00:26.789Z',
              self: true,
            },
          ],
          pool: { size: 10, busy: 1, waiting: 0 },
          lags: [{ name: 'counts', seconds: 0 }],
        },
      },
    },
  },
};

@ApiTags('Health')
@Controller('status')
@RequireScope('manage')
export class StatusController {
  constructor(private readonly status: StatusService) {}

  /** How the service is, for people who look (contract section 6). */
  @Get()
  @NoQueryParameters()
  @ApiOperation({
    summary: 'How the service is',
    operationId: 'readStatus',
    description:
      'Its processes and releases, the schema, the database and its nodes, connections, and what is late.',
  })
  @ApiResponse({ status: 200, description: 'The status', content: STATUS })
  @ApiErrors(400, 401, 403)
  read(): ReturnType<StatusService['read']> {
    return this.status.read();
  }
}

import type { NestExpressApplication } from '@nestjs/platform-express';
import { Writable } from 'node:stream';
import { AccountsRepository, type AccountContext } from '../../src/accounts/index.js';
import type { Scope } from '../../src/auth/index.js';
import {
  ApiClientsService,
  ApplyService,
  parseConfigurationFile,
  type ClientCredentials,
} from '../../src/management/index.js';
import { createApp } from '../../src/create-app.js';
import { createDataSource } from '../../src/database/data-source.js';
import { Database, DEFAULT_LIMITS, type DatabaseLimits } from '../../src/database/index.js';
import { entitiesWith } from '../../src/entities.js';
import type { FairleadExtension } from '../../src/extensions/index.js';
import { parseSettings } from '../../src/settings/settings.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { ApiClient } from './api-client.js';
import { ObedientClient } from './obedient-client.js';
import { wrongCounts } from './wrong-counts.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The signing secret of test services, for tests that forge tokens. */
export const TEST_SECRET = 'a-secret-of-the-tests-of-at-least-32-bytes';

export interface TestServiceOptions {
  /** A database to share with another service; a new one otherwise. */
  readonly database?: TestDatabase;
  readonly bodyLimit?: string;
  readonly recordLimit?: string;
  readonly ttlSeconds?: number;
  readonly poolSize?: number;
  /** Those that differ from production. */
  readonly limits?: Partial<DatabaseLimits>;
  /** Milliseconds in which a request is answered. */
  readonly requestTimeout?: number;
  readonly traceRetentionDays?: number;
  readonly corsOrigins?: string;
  readonly assignmentRetentionDays?: number;
  readonly extensions?: readonly FairleadExtension[];
  /** Further settings, and those that are undefined are unset. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Any unless given. */
  readonly port?: number;
  /** Whether clients that get a 503 come again, as they are asked to: a busy machine may be late. */
  readonly obedient?: boolean;
}

/** The whole service on a database of its own, listening on a free port of the loopback address. */
export class TestService {
  private constructor(
    readonly url: string,
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
    /** What the service has logged, one parsed object per line. */
    readonly logs: readonly Record<string, any>[],
    private readonly close: () => Promise<void>,
    /** A REST client with a token, or without. */
    readonly client: (token?: string) => ApiClient,
  ) {}

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const database = options.database ?? (await createTestDatabase());
    const dataSource = createDataSource({
      url: database.url,
      poolSize: options.poolSize ?? 10,
      entities: entitiesWith(options.extensions ?? []),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
    });
    await dataSource.initialize();
    const logs: Record<string, any>[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const line of chunk.toString().trim().split('\n')) logs.push(JSON.parse(line));
        done();
      },
    });
    const app = await createApp({
      dataSource,
      settings: parseSettings({
        JWT_SECRET: TEST_SECRET,
        ACCESS_TOKEN_TTL_SECONDS: String(options.ttlSeconds ?? 3600),
        BODY_LIMIT: options.bodyLimit ?? '1mb',
        RECORD_LIMIT: options.recordLimit,
        CORS_ORIGINS: options.corsOrigins,
        REQUEST_TIMEOUT_MS: options.requestTimeout?.toString(),
        TRACE_RETENTION_DAYS: options.traceRetentionDays?.toString(),
        ASSIGNMENT_RETENTION_DAYS: options.assignmentRetentionDays?.toString(),
        ...options.env,
      }),
      extensions: options.extensions ?? [],
      logger: createLogger('info', sink),
    });
    await app.listen(options.port ?? 0, '127.0.0.1').catch(async (error: unknown) => {
      await app.close();
      await dataSource.destroy();
      throw error;
    });
    const close = async (): Promise<void> => {
      await app.close();
      await dataSource.destroy();
      if (options.database !== undefined) return;
      const wrong = await wrongCounts(database.url).finally(() => database.drop());
      if (wrong.length > 0) throw new Error(`Counts of records are wrong: ${JSON.stringify(wrong)}`);
    };
    const url = await app.getUrl();
    const Client = options.obedient === true ? ObedientClient : ApiClient;
    // Hooks of extensions answer what the document of the service does not know.
    const isHeld = options.extensions === undefined;
    return new TestService(url, app, database, logs, close, (token) => new Client(url, token, isHeld));
  }

  /** Stops the service. Drops its database unless it was passed as an option. */
  stop(): Promise<void> {
    return this.close();
  }

  /** Applies a configuration file. */
  async apply(yaml: string): Promise<void> {
    await this.app
      .get(ApplyService, { strict: false })
      .apply(parseConfigurationFile(yaml), { dryRun: false });
  }

  /** The account with that slug. */
  async account(slug: string): Promise<AccountContext> {
    const found = await this.app
      .get(AccountsRepository, { strict: false })
      .findBySlug(this.app.get(Database, { strict: false }), slug);
    if (found === null) throw new Error(`There is no account ${slug}`);
    return { accountId: found.id };
  }

  /** A new API client of an account, which is created when there is none with that slug. */
  async createClient(slug: string, scopes?: readonly Scope[]): Promise<ClientCredentials> {
    await this.apply(`accounts: [{ slug: ${slug} }]`);
    return this.app
      .get(ApiClientsService, { strict: false })
      .create(await this.account(slug), 'Test', scopes);
  }

  /** A REST client with a token of a new API client of the account. */
  async login(slug: string, scopes?: readonly Scope[]): Promise<ApiClient> {
    const { clientId, clientSecret } = await this.createClient(slug, scopes);
    const { body } = await this.anonymous.post('/oauth2/token', {
      client_id: clientId,
      client_secret: clientSecret,
    });
    return this.client(body.access_token);
  }

  /** A REST client without a token. */
  get anonymous(): ApiClient {
    return this.client();
  }
}

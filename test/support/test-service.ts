import type { NestExpressApplication } from '@nestjs/platform-express';
import { Writable } from 'node:stream';
import { AccountsRepository, type AccountContext, type AccountEntity } from '../../src/accounts/index.js';
import { DEFAULT_SCOPES, type Scope } from '../../src/auth/index.js';
import {
  ApiClientsService,
  ApplyService,
  parseConfigurationFile,
  type ClientCredentials,
} from '../../src/management/index.js';
import { createApp } from '../../src/start/create-app.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database, DEFAULT_LIMITS, newId, type DatabaseLimits } from '../../src/database/index.js';
import { entitiesWith } from '../../src/start/entities.js';
import type { FairleadExtension } from '../../src/extensions/index.js';
import { RecordSearchRepository } from '../../src/records/search/record-search.repository.js';
import { parseSettings } from '../../src/settings/settings.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { ApiClient } from './api-client.js';
import { forgeToken, TEST_SECRET } from './forge-token.js';
import { ObedientClient } from './obedient-client.js';
import { wrongCounts } from './database/wrong-counts.js';
import { asServed } from './database/citus-databases.cjs';
import { createTestDatabase, type TestDatabase } from './database/test-database.js';

export { TEST_SECRET };

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
  /** Milliseconds that a search may take: more than a slow machine needs, unless given. */
  readonly searchTime?: number;
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

/** Makes a client of an account, whose secret nobody uses. */
const CREATE_CLIENT = {
  name: 'test_create_client',
  text: `INSERT INTO api_clients (account_id, id, name, secret_hash, scopes) VALUES ($1, $2, 'Test', $3, $4)`,
};
const CREATE_KEY = {
  name: 'test_create_client_key',
  text: `INSERT INTO account_keys (kind, key, account_id) VALUES ('client', $2, $1)`,
};

/**
 * No test of a shared service is about limits of time, and a slow machine must not meet them; nor about
 * failed logins, which all its files make from one address.
 */
const PATIENT: TestServiceOptions = {
  env: { TOKEN_RATE_LIMIT_PER_ADDRESS: '0' },
  limits: { statement: 40_000, lock: 10_000, idleInTransaction: 40_000, poolWait: 40_000, answer: 45_000 },
  requestTimeout: 50_000,
};

/** Seconds for which tokens are good. */
const TTL = 3600;

/** The service that the test files of a worker share, once one has asked for it. */
let shared: Promise<TestService> | undefined;
let filesOfShared = 0;

/** The whole service, listening on a free port of the loopback address. */
export class TestService {
  private constructor(
    readonly url: string,
    readonly app: NestExpressApplication,
    readonly database: TestDatabase,
    /** What the service has logged, one parsed object per line. */
    readonly logs: Record<string, any>[],
    private readonly close: () => Promise<void>,
    /** A REST client with a token, or without. */
    readonly client: (token?: string) => ApiClient,
    /** Seconds for which tokens that `login` signs are good; undefined for a service with keys of its own. */
    private readonly ttl?: number,
  ) {}

  /**
   * The service that the test files of a worker share, with default settings and the database that was there
   * before. A file has its own accounts: their slugs get an ending. Nothing tells files apart but the wall
   * between accounts, so a test may not count what all accounts have.
   */
  static async shared(): Promise<TestService> {
    shared ??= createTestDatabase().then((database) => TestService.start({ ...PATIENT, database }));
    const service = await shared;
    const { url, app, database, logs, client } = service;
    Object.assign(globalThis, { stopSharedService: () => TestService.stopShared() });
    filesOfShared += 1;
    logs.length = 0;
    const suffix = `-f${filesOfShared}`;
    const close = async (): Promise<void> => {
      const wrong = await wrongCounts(database.url, `%${suffix}`);
      if (wrong.length > 0) throw new Error(`Counts of records are wrong: ${JSON.stringify(wrong)}`);
    };
    // Other files need it, too.
    const drop = (): Promise<void> => Promise.resolve();
    return new TestService(url, app, { ...database, suffix, drop }, logs, close, client, TTL);
  }

  /**
   * Stops the service that the test files of the worker share, where there is one. The next file that needs
   * it gets another. A file that holds the clock does so: what works in the background would wait for good.
   */
  static async stopShared(): Promise<void> {
    const service = await shared;
    shared = undefined;
    Object.assign(globalThis, { stopSharedService: undefined });
    await service?.stop();
    await service?.database.drop();
  }

  /** A service of its own, with a database of its own unless it is told one. */
  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const database = options.database ?? (await createTestDatabase());
    const dataSource = createDataSource({
      url: database.isPlain === true ? database.url : asServed(database.url),
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
    const settings = parseSettings({
      JWT_SECRET: TEST_SECRET,
      ACCESS_TOKEN_TTL_SECONDS: String(options.ttlSeconds ?? TTL),
      BODY_LIMIT: options.bodyLimit ?? '1mb',
      RECORD_LIMIT: options.recordLimit,
      CORS_ORIGINS: options.corsOrigins,
      TRACE_RETENTION_DAYS: options.traceRetentionDays?.toString(),
      ASSIGNMENT_RETENTION_DAYS: options.assignmentRetentionDays?.toString(),
      ...options.env,
    });
    // It may be shorter than the settings allow, which do not know the limits of this data source.
    Object.assign(settings, { REQUEST_TIMEOUT_MS: options.requestTimeout ?? settings.REQUEST_TIMEOUT_MS });
    const app = await createApp({
      dataSource,
      settings,
      extensions: options.extensions ?? [],
      logger: createLogger('info', sink),
    });
    app.get(RecordSearchRepository, { strict: false }).mostTime = options.searchTime ?? 40_000;
    // A request may arrive just when a connection that was idle is closed, and would fail.
    app.getHttpServer().keepAliveTimeout = 0;
    await app.listen(options.port ?? 0, '127.0.0.1').catch(async (error: unknown) => {
      await app.close();
      await dataSource.destroy();
      throw error;
    });
    const close = async (): Promise<void> => {
      // The connection of an answer that is not given yet is idle afterwards, and nobody else would end it.
      app.getHttpServer().keepAliveTimeout = 1;
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
    const client = (token?: string): ApiClient => new Client(url, token, isHeld);
    const hasKeys = Object.keys(options.env ?? {}).some((name) => name.startsWith('JWT_'));
    const ttl = hasKeys ? undefined : (options.ttlSeconds ?? TTL);
    return new TestService(url, app, database, logs, close, client, ttl);
  }

  /** Stops the service and drops its database, unless it was passed as an option. A shared one goes on. */
  stop(): Promise<void> {
    return this.close();
  }

  /** Applies a configuration file. */
  async apply(yaml: string): Promise<void> {
    await this.app
      .get(ApplyService, { strict: false })
      .apply(this.ownAccounts(parseConfigurationFile(yaml)), { dryRun: false });
  }

  /** The slug by which the service knows an account of this test file. */
  slug(slug: string): string {
    const { suffix = '' } = this.database;
    return slug.endsWith(suffix) ? slug : slug + suffix;
  }

  /** A configuration file with the slugs by which the service knows the accounts of this test file. */
  ownAccounts<T extends { readonly accounts: readonly { slug: string }[] }>(file: T): T {
    for (const account of file.accounts) account.slug = this.slug(account.slug);
    return file;
  }

  /** The account with that slug. */
  async account(slug: string): Promise<AccountContext> {
    const accounts = this.app.get(AccountsRepository, { strict: false });
    const database = this.app.get(Database, { strict: false });
    const found = await database.read((db) => accounts.findBySlug(db, this.slug(slug)));
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

  /** A REST client with a token of a new API client of the account, which is created when there is none. */
  async login(slug: string, scopes: readonly Scope[] = DEFAULT_SCOPES): Promise<ApiClient> {
    if (this.ttl === undefined) return this.loginByRequest(slug, scopes);
    const clientId = newId();
    const values = [clientId, Buffer.alloc(32), scopes];
    const database = this.app.get(Database, { strict: false });
    const find = (): Promise<AccountEntity | null> =>
      database.read((db) =>
        this.app.get(AccountsRepository, { strict: false }).findBySlug(db, this.slug(slug)),
      );
    let account = await find();
    if (account === null) {
      await this.apply(`accounts: [{ slug: ${slug} }]`);
      account = await find();
    }
    const accountId = account!.id;
    await database.query(CREATE_KEY, [accountId, clientId]);
    await database.query(CREATE_CLIENT, [accountId, ...values]);
    const now = Math.floor(Date.now() / 1000);
    const claims = { scope: scopes.join(' '), iat: now, exp: now + this.ttl };
    return this.client(forgeToken({ clientId, accountId }, { claims }));
  }

  /** As `login`, with a token that the service has signed. */
  async loginByRequest(slug: string, scopes?: readonly Scope[]): Promise<ApiClient> {
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

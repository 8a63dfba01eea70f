// A database of its own, which an application of a host migrates.
import { Controller, Get, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Entity, PrimaryColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  ApiClientsService,
  ApplyService,
  AssignmentsService,
  configureHttp,
  Database,
  DispatchService,
  FairleadModule,
  FastExpressAdapter,
  parseConfigurationFile,
  parseSettings,
  Public,
  RecordsService,
  SimulationService,
  type FairleadExtension,
  type FairleadOptions,
} from '../../src/index.js';
import { AccountsRepository } from '../../src/accounts/index.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { ENTITIES } from '../../src/start/entities.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { ApiClient } from '../support/api-client.js';
import { postgresOf } from '../support/processes/program.js';
import { createTestDatabase } from '../support/database/test-database.js';
import { TEST_SECRET } from '../support/test-service.js';

@Entity('words')
class WordEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('text')
  word!: string;
}

class CreateWords1764300000000 implements MigrationInterface {
  name = 'CreateWords1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE words (account_id uuid, word text, PRIMARY KEY (account_id, word))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE words');
  }
}

/** A route that uses all that a module of an extension may inject. */
@Public()
@Controller('words')
class WordsController {
  constructor(
    private readonly database: Database,
    readonly records: RecordsService,
    readonly dispatches: DispatchService,
    readonly simulations: SimulationService,
    readonly assignments: AssignmentsService,
    readonly applies: ApplyService,
    readonly clients: ApiClientsService,
  ) {}

  @Get('count')
  async count(): Promise<{ count: number }> {
    return { count: await this.database.read((db) => db.repository(WordEntity).count()) };
  }
}

@Module({ controllers: [WordsController] })
class WordsModule {}

const WORDS: FairleadExtension = {
  name: 'words',
  imports: [WordsModule],
  entities: [WordEntity],
  migrations: [CreateWords1764300000000],
};

const running = new Set<NestExpressApplication>();
const folders: string[] = [];

async function close(app: NestExpressApplication): Promise<void> {
  running.delete(app);
  await app.close();
}

afterEach(async () => {
  for (const app of running) await close(app);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function listen(module: DynamicModule): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, new FastExpressAdapter(), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  running.add(app);
  configureHttp(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Creates an account with a client, and a contact through the API. */
async function use(app: NestExpressApplication): Promise<number> {
  await app.get(ApplyService).apply(parseConfigurationFile('accounts: [{ slug: acme }]'), { dryRun: false });
  const accounts = app.get(AccountsRepository, { strict: false });
  const database = app.get(Database, { strict: false });
  const account = await database.read((db) => accounts.findBySlug(db, 'acme'));
  const { clientId, clientSecret } = await app
    .get(ApiClientsService)
    .create({ accountId: account!.id }, 'Host', undefined);
  const url = await app.getUrl();
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const { body } = await new ApiClient(url, undefined, false).post('/oauth2/token', credentials);
  const created = await new ApiClient(url, body.access_token, false).post('/contacts', {
    fields: { first_name: 'A' },
  });
  return created.status;
}

const settings = parseSettings({ JWT_SECRET: TEST_SECRET, TRACE_RETENTION_DAYS: '30' });
const logger = createLogger('silent');

describe('A host application', () => {
  it('gives options that depend on its own providers, at its own time', async () => {
    const database = await createTestDatabase();
    const dataSource = createDataSource({
      url: database.url,
      poolSize: 5,
      entities: [...ENTITIES, WordEntity],
    });
    await dataSource.initialize();
    await dataSource.query('CREATE TABLE words (account_id uuid, word text)');
    const SECRETS = Symbol('Secrets');
    @Module({ providers: [{ provide: SECRETS, useValue: { settings } }], exports: [SECRETS] })
    class SecretsModule {}

    const app = await listen(
      FairleadModule.forRootAsync({
        imports: [SecretsModule],
        inject: [SECRETS],
        useFactory: async (secrets: FairleadOptions) => Promise.resolve({ ...secrets, dataSource, logger }),
        extensions: [WORDS],
      }),
    );
    expect(await use(app)).toBe(201);
    expect((await new ApiClient(await app.getUrl(), undefined, false).get('/words/count')).body).toEqual({
      count: 0,
    });
    await close(app);
    // It is its owner's to close.
    expect(dataSource.isInitialized).toBe(true);
    await dataSource.destroy();
    await database.drop();
  });

  it('leaves the database to the service, which opens, migrates and closes it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-host-'));
    folders.push(dataDir);
    const own = parseSettings({ DATA_DIR: dataDir });
    for (const before of [0, 1]) {
      const app = await listen(FairleadModule.forRoot({ settings: own, logger, extensions: [WORDS] }));
      expect(postgresOf(dataDir)).toBeDefined();
      expect((await new ApiClient(await app.getUrl(), undefined, false).get('/words/count')).body).toEqual({
        count: before,
      });
      if (before === 0) {
        expect(await use(app)).toBe(201);
        const word = { accountId: '01890000-0000-7000-8000-000000000000', word: 'kept' };
        const database = app.get(Database, { strict: false });
        await database.transaction((tx) => tx.repository(WordEntity).insert(word));
      }
      await close(app);
      expect(postgresOf(dataDir)).toBeUndefined();
    }
  });
});

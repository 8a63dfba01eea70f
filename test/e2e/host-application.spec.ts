// A database of its own: the service runs in an application of a host.
import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Get,
  InternalServerErrorException,
  Module,
  NotFoundException,
  Param,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { IsInt, IsString } from 'class-validator';
import express from 'express';
import type { DataSource } from 'typeorm';
import { AccountsRepository } from '../../src/accounts/index.js';
import type { ClientContext } from '../../src/auth/index.js';
import { Client, Public, RequireScope } from '../../src/auth/http.js';
import { ApiClientsService } from '../../src/management/index.js';
import { ApplyService, parseConfigurationFile } from '../../src/management/index.js';
import { ConsoleFiles } from '../../src/console/console-files.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { FairleadModule } from '../../src/start/fairlead.module.js';
import { configureHttp, describeApp, ProvidesOpenApiSchemas } from '../../src/http/index.js';
import { parseSettings } from '../../src/settings/settings.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { rawRequest } from '../support/raw-request.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { blaming, expectTokenError } from '../support/token-error.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

class LeadDto {
  @IsString()
  name!: string;

  @IsInt()
  score!: number;
}

/** Routes of the host. */
@Controller('leads')
@RequireScope('records:write')
class LeadsController {
  @Get('mine')
  @RequireScope('records:read')
  mine(@Client() client: ClientContext): object {
    return { account: client.accountId, client: client.clientId, scopes: [...client.scopes] };
  }

  @Public()
  @Get('public')
  open(): string {
    return 'open';
  }

  @Get('fails/:how')
  @RequireScope('records:read')
  fails(@Param('how') how: string): void {
    if (how === 'missing') throw new NotFoundException('Lead not found');
    if (how === 'conflict') throw new ConflictException('Lead is taken');
    if (how === 'teapot') throw new BadRequestException({ message: 'No tea', brand: 'x' });
    if (how === 'down') throw new InternalServerErrorException('The lead server is down');
    throw new TypeError('secret of the host');
  }

  @Post()
  create(@Body(new ValidationPipe()) { name, score }: LeadDto): object {
    return { name, score };
  }
}

function hostModule(dataSource: DataSource, isOn: boolean): object {
  @Module({
    imports: [
      FairleadModule.forRoot({
        dataSource,
        console: isOn,
        settings: parseSettings({
          JWT_SECRET: 'a-secret-of-the-host-of-at-least-32-bytes',
          JWT_ISSUER: 'host',
          JWT_AUDIENCE: 'host',
          BODY_LIMIT: '1kb',
        }),
        logger: createLogger('silent'),
      }),
    ],
    controllers: [LeadsController],
  })
  @ProvidesOpenApiSchemas(() => ({ Lead: { type: 'object' } }))
  class HostModule {}
  return HostModule;
}

interface Setup {
  /** Whether Nest's own body parsers are used too. */
  readonly bodyParser: boolean;
  /** Whether parsers of the host read bodies, which have words of their own. */
  readonly hasParsers?: boolean;
  /** Whether they accept bodies beyond the limit of the service. */
  readonly readsLargeBodies?: boolean;
  readonly prefix?: string;
  /** Whether people may enter the console. Default true. */
  readonly console?: boolean;
  /** Changes that the host makes to its application before it listens. */
  configure(app: NestExpressApplication): void;
  /** Whether `configure` adds the middleware of the service. */
  readonly configured: boolean;
}

const SETUPS: [name: string, setup: Setup][] = [
  [
    'configures it as the service does',
    { bodyParser: false, configured: true, configure: (app) => configureHttp(app) },
  ],
  [
    'keeps the body parsers of Nest beside those of the service',
    {
      bodyParser: true,
      hasParsers: true,
      readsLargeBodies: true,
      configured: true,
      configure: (app) => configureHttp(app),
    },
  ],
  [
    'has a prefix for all routes',
    {
      bodyParser: false,
      configured: true,
      prefix: '/api',
      configure: (app) => configureHttp(app),
    },
  ],
  [
    'has read the body before',
    {
      bodyParser: false,
      hasParsers: true,
      configured: true,
      configure: (app) => {
        app.use(express.json({ limit: '1kb' }), express.urlencoded({ limit: '1kb', extended: true }));
        configureHttp(app);
      },
    },
  ],
  [
    'only imports the module',
    {
      bodyParser: true,
      hasParsers: true,
      configured: false,
      console: false,
      configure: (app) => app.useBodyParser('json', { limit: '1kb' }),
    },
  ],
];

describe.each(SETUPS)('A host application that %s', (_, setup) => {
  const { prefix = '' } = setup;
  let database: TestDatabase;
  let dataSource: DataSource;
  let app: NestExpressApplication;
  let anonymous: ApiClient;
  let reader: ApiClient;
  let writer: ApiClient;
  let account: string;
  let credentials: { client_id: string; client_secret: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource({ url: database.url, poolSize: 5, entities: ENTITIES });
    await dataSource.initialize();
    app = await NestFactory.create<NestExpressApplication>(
      hostModule(dataSource, setup.console !== false),
      new ExpressAdapter(),
      {
        bodyParser: setup.bodyParser,
        logger: false,
        abortOnError: false,
      },
    );
    setup.configure(app);
    if (prefix !== '') app.setGlobalPrefix(prefix);
    await app.listen(0, '127.0.0.1');
    anonymous = new ApiClient((await app.getUrl()) + prefix, undefined, false);
    await app
      .get(ApplyService, { strict: false })
      .apply(parseConfigurationFile('accounts: [{ slug: acme }]'), { dryRun: false });
    const accounts = app.get(AccountsRepository, { strict: false });
    const found = await app.get(Database, { strict: false }).read((db) => accounts.findBySlug(db, 'acme'));
    account = found!.id;
    reader = await login(['records:read']);
    writer = await login(['records:read', 'records:write']);
  });
  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await database.drop();
  });

  async function login(scopes: ('records:read' | 'records:write')[]): Promise<ApiClient> {
    const clients = app.get(ApiClientsService, { strict: false });
    const { clientId, clientSecret } = await clients.create({ accountId: account }, 'Host', scopes);
    credentials = { client_id: clientId, client_secret: clientSecret };
    const raw = new URLSearchParams(credentials).toString();
    const { status, body } = await anonymous.post('/oauth2/token', undefined, { headers: FORM, raw });
    expect(status).toBe(200);
    return new ApiClient(anonymous.baseUrl, body.access_token, false);
  }

  it('says where a record is that was created, with its own prefix [contract 1]', async () => {
    const created = await writer.post('/contacts', { fields: { first_name: 'Ada' } });
    expect(created.headers.get('location')).toBe(`${prefix}/contacts/${created.body.id}`);
  });

  it('has the console under its prefix, unless it leaves it out [contract 12]', async () => {
    const status = setup.console === false ? 404 : 200;
    expect((await anonymous.get('/console/session')).status).toBe(status);
    const files = app.get(ConsoleFiles, { strict: false });
    jest.spyOn(files, 'page').mockImplementation((_, { base }) => `<base href="${base}">`);
    const page = await anonymous.get('/console/routers/7');
    expect(page.status).toBe(status);
    if (status === 200) expect(page.body).toBe(`<base href="${prefix}/console/">`);
  });

  describe('guards a route of its own', () => {
    it('with 401 where there is no token [5.2, contract 2]', async () => {
      const response = await anonymous.get('/leads/mine');
      expectError(response, 401, { message: 'Unauthorized: missing bearer token' });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      const forged = await new ApiClient(anonymous.baseUrl, 'x.y.z', false).get('/leads/mine');
      expectError(forged, 401, { message: 'Unauthorized: invalid or expired token' });
    });

    it('with 403 where the scope is too small [contract 2]', async () => {
      const response = await reader.post('/leads', { name: 'Ada', score: 1 });
      expectError(response, 403, { message: 'This token lacks the scope records:write' });
    });

    it('and hands it the context of the caller [5.2]', async () => {
      const { status, body } = await writer.get('/leads/mine');
      expect(status).toBe(200);
      expect(body).toEqual({
        account,
        client: credentials.client_id,
        scopes: ['records:read', 'records:write'],
      });
    });

    it('unless it is public', async () => {
      expect(await anonymous.get('/leads/public')).toMatchObject({ status: 200, body: 'open' });
    });
  });

  describe('answers the errors of its own routes with the error object', () => {
    it.each([
      ['missing', 404, 'Lead not found', 'not_found'],
      ['conflict', 409, 'Lead is taken', 'conflict'],
      ['teapot', 400, 'No tea', 'invalid_request'],
      ['down', 500, 'The lead server is down', 'internal'],
      ['else', 500, 'Internal server error', 'internal'],
    ])('%s: %d [2.9, 7, contract 1]', async (how, status, message, code) => {
      expectError(await reader.get(`/leads/fails/${how}`), status, { message, code });
    });

    it('and every message of a validation pipe [2.9]', async () => {
      expectError(await writer.post('/leads', { name: 1, score: 'x' }), 400, {
        message: 'name must be a string (and 1 more)',
        errors: [{ message: 'name must be a string' }, { message: 'score must be an integer number' }],
      });
      expect(await writer.post('/leads', { name: 'Ada', score: 7 })).toMatchObject({
        status: 201,
        body: { name: 'Ada', score: 7 },
      });
    });
  });

  it('answers 404 to an unknown route [contract 1]', async () => {
    expectError(await writer.get('/nowhere'), 404, { message: 'Not found' });
    expectError(await anonymous.post('/leads/x/y'), 404, { message: 'Not found' });
  });

  it('answers 405 to another method, on its own routes too [contract 1]', async () => {
    for (const [path, allow] of [
      ['/contacts', 'GET, HEAD, POST'],
      ['/leads', 'POST'],
      ['/oauth2/token', 'POST'],
    ] as const) {
      const response = await rawRequest(writer, 'PUT', prefix + path);
      const message = `PUT is not allowed here; allowed: ${allow}`;
      if (path === '/oauth2/token') expectTokenError(response, 'invalid_request', message, { status: 405 });
      else expectError(response, 405, { message });
      expect(response.headers.get('allow')).toBe(allow);
    }
  });

  it('refuses an id that decodes to no text [contract 1]', async () => {
    const known = new ApiClient(anonymous.baseUrl.replace(prefix, ''), writer.token, false);
    const response = await rawRequest(known, 'GET', `${prefix}/contacts/%E0%A4%A`);
    if (setup.configured) expectError(response, 404, { message: 'Contact not found' });
    else expectInvalid(response, [undefined, `Failed to decode param '%E0%A4%A'`]);
  });

  it('answers 400 to a body that cannot be read [7, contract 1]', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const refused = await writer.post('/contacts', undefined, { raw: '{', headers });
    const own = setup.hasParsers === true;
    const message = own ? String(refused.body.message) : 'The body is not valid JSON';
    expectInvalid(refused, [undefined, message]);
    expectInvalid(await writer.post('/leads', undefined, { raw: '{', headers }), [undefined, message]);
    const large = await writer.post('/contacts', { fields: { first_name: 'x'.repeat(2000) } });
    // The parsers of Nest accept 100 KiB unless they are told otherwise.
    if (setup.readsLargeBodies === true) expect(large.status).toBe(201);
    else
      expectError(large, 413, {
        message: own ? 'request entity too large' : 'The body is larger than 1024 bytes',
      });
    const token = await anonymous.post('/oauth2/token', undefined, { raw: '{', headers });
    expectTokenError(token, 'invalid_request', message, { errors: [{ message }] });
  });

  it('refuses a media type that nothing reads [contract 1]', async () => {
    const text = { headers: { 'Content-Type': 'text/plain' }, raw: 'x' };
    const response = await writer.post('/contacts', undefined, text);
    expectError(response, 415, { message: 'The Content-Type must be application/json' });
  });

  it('refuses what the routes of the service refuse [2.4, 2.9]', async () => {
    expectInvalid(await writer.post('/contacts', { fields: { first_name: 'Ada', nickname: 'x' } }), [
      'nickname',
      'Unknown field: nickname',
    ]);
    expectInvalid(await writer.get('/contacts?limit=0'), ['limit', 'limit must be an integer from 1 to 100']);
    const message = 'client_secret is required';
    const raw = `client_id=${credentials.client_id}`;
    const token = await anonymous.post('/oauth2/token', undefined, { headers: FORM, raw });
    expectTokenError(token, 'invalid_request', message, blaming('client_secret', message));
  });

  it('serves the routes of the service [4.2, 4.3, 4.4]', async () => {
    const created = await writer.post('/contacts', { fields: { first_name: 'Ada' } });
    expect(created.status).toBe(201);
    const read: ApiResponse = await reader.get(`/contacts/${created.body.id}`);
    expect({ status: read.status, body: read.body }).toEqual({ status: 200, body: created.body });
    expect((await anonymous.get('/health/ready')).body).toEqual({ status: 'ok' });
  });

  it('describes all routes and schemas, its own included [contract 5]', () => {
    const about = { title: 'Host', description: 'Leads', version: '2.0.0' };
    const { info, paths, components } = describeApp(app, about);
    expect(info).toMatchObject(about);
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([`${prefix}/leads`, `${prefix}/contacts/{contactId}`]),
    );
    expect(Object.keys(components?.schemas ?? {})).toEqual(
      expect.arrayContaining(['Error', 'Contact', 'Router', 'Assignment', 'Token', 'DispatchResult', 'Lead']),
    );
  });
});

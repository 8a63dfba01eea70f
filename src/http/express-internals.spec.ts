import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  Body,
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  NotFoundException,
  Param,
  Patch,
  Post,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestApplication,
  Module,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Request, type Response } from 'express';
import { adoptMessages, allowedMethods, isNoRoute, requestError, unwrapped } from './express-internals.js';

/** What the application under test has caught last. */
let caught: unknown;
let allowed: string[] | undefined;

@Catch()
class Recorder implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    caught = error;
    allowed = isNoRoute(error) ? allowedMethods(http.getRequest<Request>()) : undefined;
    http.getResponse<Response>().status(500).end();
  }
}

@Controller('things')
class ThingsController {
  @Get(':id')
  get(@Param('id') id: string): string {
    if (id === 'gone') throw new NotFoundException('No such thing');
    return id;
  }

  @Patch(':id')
  patch(): void {
    throw new ForbiddenException('No', { cause: new Error('Because') });
  }

  @Post()
  post(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

describe.each([
  ['', '/things'],
  ['api', '/api/things'],
])('Nest on Express, with the prefix "%s",', (prefix, things) => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(ThingsModule, new ExpressAdapter(), { logger: false, bodyParser: false });
    const verify = (_request: unknown, _response: unknown, body: Buffer): void => {
      if (body.includes('refuse')) throw Object.assign(new Error('Refused'), { status: 415 });
    };
    app.use(express.json({ limit: 100, verify }));
    if (prefix !== '') app.setGlobalPrefix(prefix);
    app.useGlobalFilters(new Recorder());
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    caught = undefined;
  });

  async function send(method: string, path: string, init: RequestInit = {}): Promise<void> {
    await fetch(url + path, { method, ...init });
  }

  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<void> =>
    send('POST', things, { headers: { 'Content-Type': 'application/json', ...headers }, body });

  it.each([
    ['GET', '', ['POST']],
    ['POST', '/1', ['GET', 'HEAD', 'PATCH']],
    ['DELETE', '/1/', ['GET', 'HEAD', 'PATCH']],
    ['GET', '/1/2', []],
  ])('knows the methods of other routes: %s …%s [contract 1]', async (method, item, methods) => {
    await send(method, `${things}${item}`);
    expect(isNoRoute(caught)).toBe(true);
    expect(allowed).toEqual(methods);
  });

  it.each(['nowhere?a=b', '', '%20x', '/x', 'things/1/2'])(
    'says that there is no route /%s',
    async (path) => {
      await send('GET', things.replace('things', path));
      expect(isNoRoute(caught)).toBe(true);
      expect(allowed).toEqual([]);
    },
  );

  it('tells a missing route from a missing thing', async () => {
    await send('GET', `${things}/gone`);
    expect((caught as Error).message).toBe('No such thing');
    expect(isNoRoute(caught)).toBe(false);
  });

  it.each([
    ['no JSON', '{', {}, { status: 400, type: 'entity.parse.failed', limit: undefined }],
    ['101 bytes', `"${'x'.repeat(99)}"`, {}, { status: 413, type: 'entity.too.large', limit: 100 }],
    [
      'an unknown charset',
      '{}',
      { 'Content-Type': 'application/json; charset=nonsense' },
      { status: 415, type: 'charset.unsupported', limit: undefined },
    ],
    [
      'an unknown encoding',
      '{}',
      { 'Content-Encoding': 'nonsense' },
      { status: 415, type: 'encoding.unsupported', limit: undefined },
    ],
    [
      'half a compressed body',
      gzipSync('{}').subarray(0, 12),
      { 'Content-Encoding': 'gzip' },
      { status: 400, type: undefined, limit: undefined },
    ],
  ])('refuses a body of %s in known words [7, contract 1]', async (_, body, headers, expected) => {
    await post(typeof body === 'string' ? body : new Uint8Array(body), headers);
    expect(caught).toBeInstanceOf(HttpException);
    expect(requestError(unwrapped(caught))).toEqual(expected);
  });

  it('hands on the error by which a body was refused [contract 1]', async () => {
    await post('{"refuse": 1}');
    expect(caught).toBeInstanceOf(HttpException);
    expect(unwrapped(caught)).toMatchObject({ message: 'Refused', status: 415 });
    expect(unwrapped(caught)).not.toBeInstanceOf(HttpException);
  });

  it('refuses a path that decodes to no text with 400 [7]', async () => {
    await send('GET', `${things}/%E0%A4%A`);
    expect(requestError(unwrapped(caught))).toEqual({ status: 400, type: undefined, limit: undefined });
  });

  it('keeps an exception that has a cause of its own', async () => {
    await send('PATCH', `${things}/1`);
    expect((caught as Error).cause).toBeInstanceOf(Error);
    expect(unwrapped(caught)).toBe(caught);
  });
});

describe('an error that is not about the request', () => {
  it.each([
    ['a status of a server', Object.assign(new Error('x'), { status: 500, statusCode: 500 })],
    ['the status of another server', Object.assign(new Error('x'), { status: 404 })],
    ['a status and no error', { status: 400, type: 'entity.parse.failed' }],
    ['null', null],
  ])('is not read as one: %s', (_, error) => expect(requestError(error)).toBeUndefined());
});

describe('the messages of a server with the prototypes of Express', () => {
  it('are those that Express wants, so that it swaps none', async () => {
    const application = express();
    const prototypes = { request: application.request, response: application.response };
    const classes = adoptMessages(application);
    expect(Object.getPrototypeOf(classes.IncomingMessage.prototype)).toBe(prototypes.request);
    expect(Object.getPrototypeOf(classes.ServerResponse.prototype)).toBe(prototypes.response);

    const made: object[] = [];
    const handled: object[] = [];
    application.get('/x', (request, response) => {
      handled.push(Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object);
      expect(request).toBeInstanceOf(IncomingMessage);
      expect(response).toBeInstanceOf(ServerResponse);
      response.json({ query: request.query, ip: request.ip, type: request.get('X-Type') });
    });
    const server = createServer(classes, (request, response) => {
      made.push(Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object);
      (application as (...messages: unknown[]) => void)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/x?a=1`, { headers: { 'X-Type': 't' } });
    expect(await answer.json()).toEqual({ query: { a: '1' }, ip: '127.0.0.1', type: 't' });
    expect(made).toEqual([classes.IncomingMessage.prototype, classes.ServerResponse.prototype]);
    expect(handled[0]).toBe(made[0]);
    expect(handled[1]).toBe(made[1]);
    await new Promise((resolve) => server.close(resolve));
  });
});

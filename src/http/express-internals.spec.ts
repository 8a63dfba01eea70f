import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Catch,
  Controller,
  Get,
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
import { adoptMessages, allowedMethods, isNoRoute } from './fast-express.adapter.js';

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
  patch(): void {}

  @Post()
  post(): void {}
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
    if (prefix !== '') app.setGlobalPrefix(prefix);
    app.useGlobalFilters(new Recorder());
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    caught = undefined;
  });

  async function send(method: string, path: string): Promise<void> {
    await fetch(url + path, { method });
  }

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

import type { AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  Header,
  HttpCode,
  Module,
  StreamableFile,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastExpressAdapter } from './fast-express.adapter.js';
import { jsonPage, type Page } from '../paging/index.js';

const PAGE = { limit: 2, offset: 0, count: 2, next: null };

class View {
  readonly id = 'é';
}

@Controller()
class AnswersController {
  @Get('object')
  object(): object {
    return { text: 'é"<', list: [1, null], missing: undefined };
  }

  @Get('empty')
  @HttpCode(200)
  empty(): object {
    return {};
  }

  @Get('created')
  @HttpCode(201)
  created(): object {
    return { text: 'x'.repeat(2_000) };
  }

  @Get('no-content')
  @HttpCode(204)
  noContent(): object {
    return { left: 'out' };
  }

  @Get('reset')
  @HttpCode(205)
  reset(): object {
    return { left: 'out' };
  }

  @Get('tagged')
  @Header('ETag', '"7"')
  tagged(): object {
    return { version: 7 };
  }

  @Get('dated')
  @Header('Last-Modified', 'Thu, 01 Jan 1970 00:00:00 GMT')
  dated(): object {
    return { version: 7 };
  }

  @Get('typed')
  @Header('Content-Type', 'application/problem+json')
  typed(): object {
    return { typed: true };
  }

  @Get('instance')
  instance(): object {
    return new View();
  }

  @Get('list')
  list(): object {
    return [1, 2];
  }

  @Get('text')
  text(): string {
    return 'text';
  }

  @Get('page')
  page(): Page<object> {
    return jsonPage(['{"text":"é"}', '{"text":null}'], PAGE);
  }

  @Get('nothing')
  nothing(): undefined {
    return undefined;
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('file'));
  }
}

@Module({ controllers: [AnswersController] })
class AnswersModule {}

const PATHS = Object.getOwnPropertyNames(AnswersController.prototype).filter(
  (name) => name !== 'constructor',
);
const CONDITIONAL = { 'If-None-Match': '"7"', 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' };

const open: INestApplication[] = [];
afterAll(() => Promise.all(open.map((app) => app.close())));

/** Starts the answers on an adapter. @returns asks for one */
async function start(
  adapter: ExpressAdapter,
  change: (app: NestExpressApplication) => unknown = () => undefined,
): Promise<(path: string, init?: RequestInit) => Promise<object>> {
  const app = await NestFactory.create<NestExpressApplication>(AnswersModule, adapter, { logger: false });
  app.disable('etag');
  change(app);
  await app.listen(0, '127.0.0.1');
  open.push(app);
  const { port } = app.getHttpServer().address() as AddressInfo;
  return async (path, init = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path.replace('noContent', 'no-content')}`, init);
    const { date: _, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, body: await answer.text() };
  };
}

describe('The answers of the adapter', () => {
  it.each([
    ['as it is', undefined],
    ['with an ETag', (app: NestExpressApplication) => app.enable('etag')],
  ])('are those of Express: %s', async (_, change) => {
    const [fast, express] = [
      await start(new FastExpressAdapter(), change),
      await start(new ExpressAdapter(), change),
    ];
    for (const path of PATHS) {
      for (const init of [{}, { method: 'HEAD' }, { headers: CONDITIONAL }]) {
        expect([path, init, await fast(path, init)]).toEqual([path, init, await express(path, init)]);
      }
    }
  });
});

import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Router, type RequestHandler } from 'express';
import { notFound } from '../../errors/errors.js';
import { FAVICON, PAGE_OPTIONS } from './documentation-page.js';
import { describeApp } from './openapi-document.js';
import { loadSwagger } from './swagger.js';

/** The files of Swagger UI that its page loads, and the page itself. The package has many more. */
const PAGE = new Set([
  '',
  '/',
  '/index.html',
  '/favicon.svg',
  '/swagger-ui-bundle.js',
  '/swagger-ui-init.js',
  '/swagger-ui-standalone-preset.js',
  '/swagger-ui.css',
]);

const onlyThePage: RequestHandler = ({ path }, _response, next) => {
  if (PAGE.has(path)) next();
  else next(notFound('Not found'));
};

/** The page, whose routes are made when it is asked for: until then nothing of @nestjs/swagger is loaded. */
function documentationPage(app: NestExpressApplication): RequestHandler {
  let page: Router | undefined;
  return (request, response, next) => {
    if (page === undefined) {
      page = Router();
      const adapter = new ExpressAdapter(page);
      const host = {
        getHttpAdapter: () => adapter,
        useStaticAssets: adapter.useStaticAssets.bind(adapter),
      };
      loadSwagger().SwaggerModule.setup('docs', host as never, () => describeApp(app), PAGE_OPTIONS);
    }
    page(request, response, next);
  };
}

/**
 * Serves the OpenAPI document at `/openapi.json` and its page at `/docs`, both without a token. The document
 * is written once: everybody may ask for it, as often as they like.
 */
export function serveDocumentation(app: NestExpressApplication): void {
  app.use('/docs', onlyThePage);
  let text: Buffer | undefined;
  const express = app.getHttpAdapter().getInstance();
  express.get('/openapi.json', (_request, response) => {
    text ??= Buffer.from(JSON.stringify(describeApp(app)));
    response.type('application/json').send(text);
  });
  express.get('/docs/favicon.svg', (_request, response) => {
    response.type('image/svg+xml').send(FAVICON);
  });
  express.get('/docs{/*file}', documentationPage(app));
}

import { SwaggerModule, type SwaggerCustomOptions } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { notFound } from '../../errors/errors.js';
import { describeApp } from './openapi-document.js';

/** The sign of the page: a line that parts in two. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12506b"/>' +
  '<path d="M16 26V17M16 17L8 8M16 17L24 8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>' +
  '<circle cx="8" cy="8" r="3.2" fill="#fff"/><circle cx="24" cy="8" r="3.2" fill="#7fd1c7"/></svg>';

/** How the page looks and behaves. `BaseLayout` has no bar with the sign of Swagger. */
const PAGE_OPTIONS: SwaggerCustomOptions = {
  raw: false,
  customSiteTitle: 'Fairlead API',
  customfavIcon: './docs/favicon.svg',
  customCss:
    '.swagger-ui .info { margin: 32px 0 16px } ' +
    '.swagger-ui .info .title { color: #12506b } ' +
    '.swagger-ui .scheme-container { box-shadow: none; border-bottom: 1px solid #d8e0e4; padding: 16px 0 }',
  swaggerOptions: {
    layout: 'BaseLayout',
    // What the form has, the secret included, stays in the browser until somebody presses Logout.
    persistAuthorization: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelRendering: 'example',
    displayRequestDuration: true,
    tryItOutEnabled: true,
    filter: true,
  },
};

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

/** A browser that is sent to the bare address of the service shows a page. Others get 404, as elsewhere. */
const browsersTo =
  (page: () => string | undefined): RequestHandler =>
  (request, response, next) => {
    const { path, method } = request;
    const reads = method === 'GET' || method === 'HEAD';
    if (path !== '/' || !reads || request.accepts(['json', 'html']) !== 'html') next();
    else response.vary('Accept').redirect(page() ?? '/docs');
  };

/**
 * Serves the OpenAPI document at `/openapi.json` and its page at `/docs`, both without a token, and leads
 * browsers from `/` to that page or another. The document is written once: everybody may ask for it, as often
 * as they like.
 * @param home the path of the other page; undefined where there is none
 */
export function serveDocumentation(app: NestExpressApplication, home: () => string | undefined): void {
  app.use(browsersTo(home));
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
  SwaggerModule.setup('docs', app, () => describeApp(app), PAGE_OPTIONS);
}

import type { SwaggerCustomOptions } from '@nestjs/swagger';

/** The sign of the page: a line that parts in two. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12506b"/>' +
  '<path d="M16 26V17M16 17L8 8M16 17L24 8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>' +
  '<circle cx="8" cy="8" r="3.2" fill="#fff"/><circle cx="24" cy="8" r="3.2" fill="#7fd1c7"/></svg>';

/** How the page looks and behaves. `BaseLayout` has no bar with the sign of Swagger. */
export const PAGE_OPTIONS: SwaggerCustomOptions = {
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

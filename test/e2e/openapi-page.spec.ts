import { ConsoleFiles } from '../../src/console/console-files.js';
import { expectError } from '../support/error-object.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('/', () => {
  const ask = (method: string, accept?: string): ReturnType<typeof rawRequest> =>
    rawRequest(service.anonymous, method, '/', { headers: accept === undefined ? {} : { Accept: accept } });

  it.each(['GET', 'HEAD'])('leads a browser to the page: %s [contract 5]', async (method) => {
    const { status, headers } = await ask(method, HTML);
    // Where the console is built, it is the page.
    const page = service.app.get(ConsoleFiles, { strict: false }).path ?? '/docs';
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, page, 'Accept']);
    expect(headers.get('x-request-id')).not.toBeNull();
  });

  it.each([
    ['GET', undefined],
    ['GET', '*/*'],
    ['GET', 'application/json'],
    ['GET', 'application/json, text/html;q=0.9'],
    ['POST', HTML],
    ['OPTIONS', HTML],
  ])('is no path for any other request: %s, Accept: %s [contract 1]', async (method, accept) => {
    expectError(await ask(method, accept), 404, { message: 'Not found' });
  });
});

describe('/docs', () => {
  it('is a page that loads the document, with all it needs from this server [contract 5]', async () => {
    const { status, headers, body: html } = await service.anonymous.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<div id="swagger-ui">');
    const assets = [...String(html).matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(
      ([, path]) => `/${path!}`,
    );
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await service.anonymous.get(path)).status).toBe(200);
    const { body: script } = await service.anonymous.get('/docs/swagger-ui-init.js');
    expect(script).toContain('"/contacts/{contactId}"');
  });

  it('has a title and a sign of its own, and none of Swagger, under a strict policy [contract 5]', async () => {
    const { headers, body: html } = await service.anonymous.get('/docs');
    expect(html).toContain('<title>Fairlead API</title>');
    expect(html).toContain("<link rel='icon' href='./docs/favicon.svg' />");
    const icon = await service.anonymous.get('/docs/favicon.svg');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    const { body: script } = await service.anonymous.get('/docs/swagger-ui-init.js');
    expect(script).toContain('"layout": "BaseLayout"');
    expect(script).toContain('"persistAuthorization": true');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self';");
    expect(policy).toContain("script-src 'self';");
  });

  it.each([
    'package.json',
    'README.md',
    'swagger-ui-bundle.js.map',
    'swagger-ui-es-bundle.js',
    'favicon-32x32.png',
    'docs/swagger-ui-init.js',
    '%2e%2e/package.json',
  ])('has no %s, which the page does not need [contract 5]', async (file) => {
    expectError(await rawRequest(service.anonymous, 'GET', `/docs/${file}`), 404, { message: 'Not found' });
  });

  it('is the only other form of the document [contract 5]', async () => {
    expect((await service.anonymous.get('/docs-yaml')).status).toBe(404);
    expect((await service.anonymous.get('/docs-json')).status).toBe(404);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { PeopleRepository } from '../../../src/auth/index.js';
import { ConsoleFiles } from '../../../src/console/console-files.js';
import { packageFolder } from '../../../src/settings/package.js';
import { expectError } from '../../support/error-object.js';
import { rawRequest, type RawResponse } from '../../support/raw-request.js';
import { TestService } from '../../support/test-service.js';

const PAGE =
  '<html><base href="__BASE__"><meta content="__CSP_NONCE__"><script src="./assets/a-1.js"></script></html>';
const SCRIPT = 'export const text = "ä";';

let folder: string;
let service: TestService;

/** Puts a built console in the place of the one that may be there. */
const build = ({ app }: TestService): void => app.get(ConsoleFiles, { strict: false }).read(folder);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, '.manifest.json'), '{}');
  writeFileSync(join(folder, 'robots.txt'), 'none');
  writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT));
  service = await TestService.shared();
  build(service);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  service.app.get(ConsoleFiles, { strict: false }).read(join(packageFolder(), 'dist', 'console'));
  await service.stop();
});

const get = (path: string, headers = {}, from = service): Promise<RawResponse> =>
  rawRequest(from.anonymous, 'GET', path, { headers });

describe('the files of the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/routers/7/try?at=1',
    '/console/people/ada@acme.test',
    '/console/index.html',
  ])('are one page for every path of it: %s [contract 12]', async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const [, nonce] = /<meta content="([\w-]{22})">/.exec(text) ?? [];
    expect(text).toBe(PAGE.replace('__BASE__', '/console/').replace('__CSP_NONCE__', nonce!));
    expect(headers.get('content-security-policy')!.split('; ')).toEqual([
      "default-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect((await get(path)).text).not.toContain(nonce);
  });

  it('that have a hash in their name are kept for good, smaller for who takes that [contract 12]', async () => {
    const [plain, small] = [await get('/console/assets/a-1.js'), await get('/console/assets/a-1.js', { 'Accept-Encoding': 'gzip, br' })];
    expect([plain.text, plain.headers.get('content-encoding')]).toEqual([SCRIPT, null]);
    expect(small.headers.get('content-encoding')).toBe('br');
    for (const { headers } of [plain, small]) {
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect([headers.get('content-type'), headers.get('vary')]).toEqual(['text/javascript; charset=utf-8', 'Accept-Encoding']);
    }
    const other = await get('/console/robots.txt');
    expect([other.text, other.headers.get('cache-control')]).toEqual(['none', 'no-cache']);
    const head = await rawRequest(service.anonymous, 'HEAD', '/console/assets/a-1.js');
    expect([head.status, head.text]).toEqual([200, '']);
  }); // prettier-ignore

  it.each([
    '/console/assets/gone.js', '/console/assets/', '/console/favicon.ico', '/console/assets/a-1.js.br', '/console/.manifest.json',
    '/console/assets/..%2f..%2fpackage.json', '/console/assets/%2e%2e/%2e%2e/package.json',
  ])('that are not there are 404, as everywhere: %s [contract 1, contract 12]', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, body.code, headers.get('content-type')]).toEqual([404, 'not_found', 'application/json; charset=utf-8']);
  }); // prettier-ignore

  it('have the address that the browser has, whatever a request line names [contract 12]', async () => {
    expect((await get('http://evil.test/console/')).text).toContain('<base href="/console/">');
  });

  it('are read, and no more [contract 1, contract 12]', async () => {
    const { status, headers } = await rawRequest(service.anonymous, 'POST', '/console/routers');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are where browsers come that are sent to the bare address [contract 12]', async () => {
    const { status, headers } = await get('/', { Accept: 'text/html' });
    expect([status, headers.get('location')]).toEqual([302, '/console/']);
    expect((await get('/')).status).toBe(404);
  });
});

describe('a console', () => {
  it('behind a prefix has it in its page, its links and its cookies as a browser sees them [contract 12]', async () => {
    const own = await TestService.start({ env: { CONSOLE_URL: 'https://crm.test/fairlead/' } });
    build(own);
    expect((await get('/console/x', {}, own)).text).toContain('<base href="/fairlead/console/">');
    expect((await get('/', { Accept: 'text/html' }, own)).headers.get('location')).toBe('/fairlead/console/');
    const admin = await own.login('acme', ['manage']);
    const { body: member } = await admin.post('/members', { email: 'ada@acme.test', role: 'admin' });
    const { url } = (await admin.post(`/members/${member.id}/link`)).body;
    const [address, token] = url.split('#');
    expect(address).toBe('https://crm.test/fairlead/console/enter');
    const page = { 'X-Fairlead-Console': '1', Origin: 'https://crm.test' };
    const entered = await own.anonymous.post('/console/session', { token }, { headers: page });
    expect(entered.headers.get('set-cookie')).toMatch(/^__Host-fairlead=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const [Cookie] = entered.headers.get('set-cookie')!.split(';');
    const me = (headers: object): Promise<any> => own.anonymous.get('/me', { headers: { Cookie: Cookie!, ...headers } });
    expect((await me(page)).body.email).toBe('ada@acme.test');
    expect((await me({ ...page, Origin: new URL(own.url).origin })).status).toBe(401);
    expect((await me({ ...page, Cookie: Cookie!.replace('__Host-', '') })).status).toBe(401);
    await own.stop();
  }); // prettier-ignore

  it('that is off has no routes, no page and no statement [contract 12]', async () => {
    const own = await TestService.start({ env: { CONSOLE: 'off' } });
    const admin = await own.login('acme', ['manage']);
    await own.apply('accounts: [{ slug: acme, members: [{ email: ada@acme.test, role: admin }] }]');
    const [{ id }] = (await admin.get('/members')).body.data;
    const page = { 'Sec-Fetch-Site': 'same-origin', 'X-Fairlead-Console': '1', Cookie: `fairlead=${'a'.repeat(64)}` };
    const find = jest.spyOn(own.app.get(PeopleRepository, { strict: false }), 'findSessions');
    for (const path of ['/console', '/console/', '/console/x', '/console/session', '/console/oidc/start', '/console/oidc/callback'])
      expect([path, (await rawRequest(own.anonymous, 'GET', path, { headers: page })).status]).toEqual([path, 404]);
    const token = { headers: page, raw: JSON.stringify({ token: 'a'.repeat(64) }) };
    expect((await own.anonymous.post('/console/session', {}, token)).status).toBe(404);
    expect((await own.anonymous.delete('/console/session', { headers: page })).status).toBe(404);
    expectError(await admin.post(`/members/${id}/link`), 404, { message: 'The console is off (CONSOLE=off)' });
    expect((await own.anonymous.get('/me', { headers: page })).status).toBe(401);
    expect((await get('/', { Accept: 'text/html' }, own)).headers.get('location')).toBe('/docs');
    expect(find).not.toHaveBeenCalled();
    await own.stop();
  }); // prettier-ignore
});

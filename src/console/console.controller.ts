import { randomBytes } from 'node:crypto';
import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { ConsoleSite } from '../auth/index.js';
import { Public } from '../auth/http.js';
import { notFound } from '../errors/errors.js';
import { ApiExcludeController } from '../http/index.js';
import { ConsoleFiles } from './console-files.js';
import { ConsoleGuard } from './console.guard.js';

/** What is used of a request and of a response of Express. */
interface FileRequest {
  readonly originalUrl: string;
  readonly params: { readonly path?: readonly string[] };
  acceptsEncodings(encoding: string): string | false;
}
interface FileResponse {
  set(headers: Readonly<Record<string, string>>): this;
  type(type: string): this;
  vary(header: string): this;
  send(body: string | Buffer): this;
}

const CACHED = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const UNCACHED = { 'Cache-Control': 'no-cache' };

/** What the page may load and do. Scripts are files of the console alone. */
const policy = (nonce: string): string =>
  [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Sends the files of the console, and its one page for every path that is none of a file. */
@ApiExcludeController()
@Controller('console')
@Public()
@UseGuards(ConsoleGuard)
export class ConsoleController {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly site: ConsoleSite,
  ) {}

  @Get(['', '*path'])
  send(@Req() request: FileRequest, @Res() response: FileResponse): void {
    const path = request.params.path?.join('/') ?? '';
    const file = this.files.file(path);
    if (file === undefined) return this.sendPage(path, request, response);
    const { type, body, brotli, isHashed } = file;
    response.set(isHashed ? CACHED : UNCACHED).type(type);
    if (brotli !== undefined) response.vary('Accept-Encoding');
    const isSmall = brotli !== undefined && request.acceptsEncodings('br') === 'br';
    if (isSmall) response.set({ 'Content-Encoding': 'br' }).send(brotli);
    else response.send(body);
  }

  private sendPage(path: string, { originalUrl }: FileRequest, response: FileResponse): void {
    const nonce = randomBytes(16).toString('base64url');
    const before = originalUrl.slice(0, originalUrl.toLowerCase().indexOf('/console'));
    // A request may name a whole address, which is whoever's.
    const prefix = this.site.prefix ?? (before.startsWith('/') ? before : '');
    const page = this.files.page(path, { base: `${prefix}/console/`, nonce });
    if (page === undefined) throw notFound('Not found');
    const headers = { 'Content-Security-Policy': policy(nonce), 'X-Frame-Options': 'DENY' };
    response.set({ ...UNCACHED, ...headers });
    response.type('html').send(page);
  }
}

import { Controller, Delete, Get, Header, HttpCode, Post, UseGuards } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { ConsoleSite } from '../auth/index.js';
import { Public } from '../auth/http.js';
import { invalid, unauthorized } from '../errors/errors.js';
import {
  ApiBody,
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  dtoBody,
  type EndpointConvention,
  NoQueryParameters,
  reference,
  type RequestParts,
  ValidRequest,
} from '../http/index.js';
import { MayBeAbsent } from '../validation/decorators.js';
import { ConsoleGuard } from './console.guard.js';
import { SessionService, type SessionView } from './session.service.js';
import { VisitorOf, type Visitor } from './visitor.js';

/** Nobody is known yet, and what enters is short. */
export const SESSION_ENDPOINT: EndpointConvention = {
  path: '/console/session',
  bodyLimit: 8 * 1024,
  compressed: false,
};

/** The body of `POST /console/session`, which has one of them. */
class EntryDto {
  @MayBeAbsent()
  @IsString()
  @MaxLength(100)
  token?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(100)
  account?: string;
}

const EXAMPLES = {
  link: {
    summary: 'By a one-time link',
    value: { token: 'AZqPLAAAfzqMVQobLD1OXmQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ' },
  },
};

const HEADERS =
  'Only for the pages of the console: with `X-Fairlead-Console: 1`, and a `Sec-Fetch-Site: same-origin` or else ' +
  'an `Origin` that is that of the service. ';

/** How people enter the console, and leave it (contract section 12). The cookie has the session. */
@ApiTags('Console')
@Controller(SESSION_ENDPOINT.path)
@Public()
@UseGuards(ConsoleGuard)
export class SessionController {
  constructor(
    private readonly sessions: SessionService,
    private readonly site: ConsoleSite,
  ) {}

  /** Tells whether there is a session. It does not go on by that. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @NoQueryParameters()
  @ApiOperation({
    summary: 'Whether somebody is signed in',
    operationId: 'readConsoleSession',
    description: `${HEADERS}Anybody else is not signed in. To ask does not keep a session alive.`,
  })
  @ApiResponse({ status: 200, description: 'Done', schema: reference('ConsoleSession') })
  @ApiErrors(400, 404)
  read(@VisitorOf() visitor: Visitor): Promise<SessionView> {
    return this.sessions.describe(visitor);
  }

  /** Opens a session, which takes the place of the one before. */
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Enter by a one-time link, or another account',
    operationId: 'openConsoleSession',
    description:
      `${HEADERS}A link works once, for 15 minutes. The session ends after an hour without requests, and after ` +
      '12 hours. The answer sets its cookie.',
  })
  @ApiBody({ schema: reference('ConsoleEntry'), required: true, examples: EXAMPLES })
  @ApiResponse({ status: 200, description: 'Entered', schema: reference('ConsoleSession') })
  @ApiErrors(400, 401, 404, 413, 415, 429)
  async enter(
    @VisitorOf() visitor: Visitor,
    @ValidRequest({ body: dtoBody(EntryDto) })
    { body: { token, account } }: RequestParts<object, EntryDto>,
  ): Promise<SessionView> {
    this.requirePage(visitor);
    if ((token === undefined) === (account === undefined)) {
      throw invalid([{ message: 'The body must have either token or account' }]);
    }
    const opened =
      token === undefined
        ? await this.sessions.change(account ?? '', visitor)
        : await this.sessions.enterByLink(token, visitor);
    return this.sessions.begin(opened, visitor);
  }

  /** Ends the session, if there is one. */
  @Delete()
  @HttpCode(204)
  @NoQueryParameters()
  @ApiOperation({
    summary: 'Leave the console',
    operationId: 'endConsoleSession',
    description: `${HEADERS}Ends the session, if there is one, in all windows.`,
  })
  @ApiResponse({ status: 204, description: 'Left' })
  @ApiErrors(400, 401, 404)
  leave(@VisitorOf() visitor: Visitor): Promise<void> {
    this.requirePage(visitor);
    return this.sessions.end(visitor);
  }

  /** @throws 401 */
  private requirePage({ request }: Visitor): void {
    if (!this.site.sends(request)) throw unauthorized('Unauthorized: no page of the console has sent this');
  }
}

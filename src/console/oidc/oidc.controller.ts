import { Controller, Get, Header, Redirect, UseGuards } from '@nestjs/common';
import { Public } from '../../auth/http.js';
import {
  ApiExcludeController,
  optionalText,
  ParameterError,
  QueryParameters,
  type ParameterParser,
} from '../../http/index.js';
import { ConsoleGuard } from '../console.guard.js';
import { VisitorOf, type Visitor } from '../visitor.js';
import { OidcService } from './oidc.service.js';
import { consolePage, HOME } from './sign-in.js';

/** A page of the console, as a path of the service. */
const page: ParameterParser<string> = (raw, name, query) => {
  const path = consolePage(optionalText(raw, name, query) ?? HOME);
  if (path !== undefined) return path;
  throw new ParameterError(`${name} must be a path of the console, such as /console/routers`);
};

/** Where the browser goes next. */
interface Redirection {
  readonly url: string;
}

/** What the browser of a person is sent to, on the way to the provider and back (contract section 12). */
@ApiExcludeController()
@Controller('console/oidc')
@Public()
@UseGuards(ConsoleGuard)
export class OidcController {
  constructor(private readonly oidc: OidcService) {}

  @Get('start')
  @Redirect()
  @Header('Cache-Control', 'no-store')
  async start(
    @VisitorOf() visitor: Visitor,
    @QueryParameters({ to: page }) { to }: { readonly to: string },
  ): Promise<Redirection> {
    return { url: await this.oidc.start(to, visitor) };
  }

  /** The provider chooses the parameters. */
  @Get('callback')
  @Redirect()
  @Header('Cache-Control', 'no-store')
  async finish(@VisitorOf() visitor: Visitor): Promise<Redirection> {
    const { originalUrl } = visitor.request;
    const start = originalUrl.indexOf('?');
    return { url: await this.oidc.finish(start < 0 ? '' : originalUrl.slice(start), visitor) };
  }
}

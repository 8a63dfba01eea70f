import { Controller, Post } from '@nestjs/common';
import { AuditedClient, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  closedObject,
  emptyBody,
  reference,
  type RequestParts,
  type Schemas,
  TIME,
  ValidRequest,
} from '../../http/index.js';
import { MemberLinksService, type MemberLink } from './member-links.service.js';

/** Returns the schema of a one-time link. */
export function memberLinkSchemas(): Schemas {
  const example = {
    url: 'https://crm.example.com/console/enter#mQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
    expires_at: '2026-06-10T21:20:06.789Z',
  };
  const url = { type: 'string', format: 'uri', maxLength: 2_000, description: 'Shown once' } as const;
  return { MemberLink: { ...closedObject({ url, expires_at: TIME }), examples: [example] } };
}

/** Makes one-time links for members (contract section 12). */
@ApiTags('Members')
@Controller('members')
@RequireScope('manage')
export class MemberLinkController {
  constructor(private readonly links: MemberLinksService) {}

  /** Makes a link by which a member enters the console once. */
  @Post(':memberId/link')
  @ApiOperation({
    summary: 'Make a one-time link for a member',
    operationId: 'linkMember',
    description:
      'Whoever has the link enters the console as the member, once, within 15 minutes. It is shown this once. ' +
      'Where the console is off (`CONSOLE=off`): 404.',
  })
  @ApiId('memberId')
  @ApiResponse({ status: 201, description: 'Made', schema: reference('MemberLink') })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  make(
    @AuditedClient() caller: Caller,
    @ValidRequest({ parameter: 'memberId', body: emptyBody }) { id }: RequestParts<object, unknown>,
  ): Promise<MemberLink> {
    return this.links.make(caller, id);
  }
}

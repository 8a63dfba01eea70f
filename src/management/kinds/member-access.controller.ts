import { Controller, Delete, Post } from '@nestjs/common';
import { Client, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  closedObject,
  emptyBody,
  integer,
  reference,
  type RequestParts,
  type Schemas,
  TIME,
  ValidRequest,
} from '../../http/index.js';
import { MemberAccessService, type EndedSessions, type MemberLink } from './member-access.service.js';

/** Returns the schemas of a one-time link, and of ended sessions. */
export function memberAccessSchemas(): Schemas {
  const example = {
    url: 'https://crm.example.com/console/enter#AZqPLAAAfzqMVQobLD1OXmQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
    expires_at: '2026-06-10T21:20:06.789Z',
  };
  const url = { type: 'string', format: 'uri', maxLength: 2_000, description: 'Shown once' } as const;
  const ended = { ...integer(0, 2 ** 31 - 1), description: 'How many sessions were open' };
  return {
    MemberLink: { ...closedObject({ url, expires_at: TIME }), examples: [example] },
    EndedSessions: { ...closedObject({ ended }), examples: [{ ended: 2 }] },
  };
}

/** Lets members in by one-time links, and ends their sessions (contract section 12). */
@ApiTags('Members')
@Controller('members')
@RequireScope('manage')
export class MemberAccessController {
  constructor(private readonly access: MemberAccessService) {}

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
    @Client() caller: Caller,
    @ValidRequest({ parameter: 'memberId', body: emptyBody }) { id }: RequestParts<object, unknown>,
  ): Promise<MemberLink> {
    return this.access.makeLink(caller, id);
  }

  /** Signs a member out everywhere. */
  @Delete(':memberId/sessions')
  @ApiOperation({
    summary: 'End the sessions of a member',
    operationId: 'endMemberSessions',
    description:
      'Ends every session of the member within 5 s, in all browsers, and makes links void that were not used. ' +
      'The member may enter again.',
  })
  @ApiId('memberId')
  @ApiResponse({ status: 200, description: 'Ended', schema: reference('EndedSessions') })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  end(
    @Client() caller: Caller,
    @ValidRequest({ parameter: 'memberId', body: emptyBody }) { id }: RequestParts<object, unknown>,
  ): Promise<EndedSessions> {
    return this.access.endSessions(caller, id);
  }
}

import { Controller } from '@nestjs/common';
import { Client, type Caller } from '../../auth/http.js';
import {
  ApiTags,
  closedObject,
  emptyBody,
  integer,
  type RequestParts,
  type Schemas,
  TIME,
  ValidRequest,
} from '../../http/index.js';
import { Route } from '../managed/managed.controller.js';
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
export class MemberAccessController {
  constructor(private readonly access: MemberAccessService) {}

  @Route('post', ':memberId/link', {
    id: 'linkMember',
    summary: 'Make a one-time link for a member',
    description:
      'Whoever has the link enters the console as the member, once, within 15 minutes. It is shown this once. ' +
      'Where the console is off (`CONSOLE=off`): 404.',
    answer: { schema: 'MemberLink', is: 'Made', status: 201 },
  })
  make(
    @Client() caller: Caller,
    @ValidRequest({ parameter: 'memberId', body: emptyBody }) { id }: RequestParts<object, unknown>,
  ): Promise<MemberLink> {
    return this.access.makeLink(caller, id);
  }

  @Route('delete', ':memberId/sessions', {
    id: 'endMemberSessions',
    summary: 'End the sessions of a member',
    description:
      'Ends every session of the member within 5 s, in all browsers, and makes links void that were not used. ' +
      'The member may enter again.',
    answer: { schema: 'EndedSessions', is: 'Ended' },
  })
  end(
    @Client() caller: Caller,
    @ValidRequest({ parameter: 'memberId', body: emptyBody }) { id }: RequestParts<object, unknown>,
  ): Promise<EndedSessions> {
    return this.access.endSessions(caller, id);
  }
}

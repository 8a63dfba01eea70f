export { ApiClientsRepository, clientName } from './api-clients.repository.js';
export { CallersModule } from './callers.module.js';
export { ApiClientEntity } from './api-client.entity.js';
export {
  hashClientSecret,
  isAccountToken,
  MOST_OVERLAP,
  newAccountToken,
  newClientSecret,
  type TokenKey,
  tokenKey,
} from './secrets.js';
export type { ClientContext } from './decorators.js';
export { ConsoleSite, type PersonRequest } from './people/console-site.js';
export {
  decideEntry,
  type Decision,
  type KnownMember,
  type Namesake,
  type Refusal,
} from './people/decide-entry.js';
export { IdentitiesRepository, type ProviderPerson } from './people/identities.repository.js';
export { GroupRoleDto, MemberDto } from './people/member.dto.js';
export { MemberEntity } from './people/member.entity.js';
export {
  memberName,
  PeopleRepository,
  type Identity,
  type MemberElsewhere,
  type Session,
} from './people/people.repository.js';
export { Sessions } from './people/sessions.js';
export { SharedLookups } from './shared-lookups.js';
export { DEFAULT_SCOPES, greatestRole, parseScopes, type Role, ROLES, type Scope, SCOPES } from './scope.js';

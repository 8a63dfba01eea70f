export { ApiClientsRepository, clientName } from './api-clients.repository.js';
export { CallersModule } from './callers.module.js';
export { ApiClientEntity } from './api-client.entity.js';
export { hashClientSecret, MOST_OVERLAP, newClientSecret } from './client-secret.js';
export type { ClientContext } from './decorators.js';
export { ConsoleSite, type PersonRequest } from './people/console-site.js';
export { isAccountToken, newAccountToken, tokenKey, type TokenKey } from './people/account-token.js';
export { decideEntry, type Decision, type Namesake, type Refusal } from './people/decide-entry.js';
export { IdentitiesRepository, type ProviderPerson } from './people/identities.repository.js';
export { GroupRoleDto, MemberDto } from './people/member.dto.js';
export { MemberEntity } from './people/member.entity.js';
export {
  memberName,
  PeopleRepository,
  type MemberElsewhere,
  type Session,
} from './people/people.repository.js';
export { Sessions } from './people/sessions.js';
export { SharedLookups } from './shared-lookups.js';
export { greatestRole, ROLES, type Role } from './people/roles.js';
export { DEFAULT_SCOPES, parseScopes, SCOPES, type Scope } from './scope.js';

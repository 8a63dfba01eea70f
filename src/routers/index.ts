export { NewRouterDto, PublishDto, RollbackDto, RouterChangesDto, RouterDto } from './dto/router.dto.js';
export { compilableRouter, idsOf, listedIn, routerPool } from './router-content.js';
export { fieldLookup } from './field-lookup.js';
export type { RouterContent, RouterDraft, RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
export {
  contentOf,
  isOnlyDraft,
  ownerOfName,
  pendingContent,
  routerOfVersion,
  shownContent,
  staleDraft,
  withContent,
  type VersionChoice,
} from './router-content.js';
export { RouterVersionsRepository, type ListedVersion } from './router-versions.repository.js';
export {
  objectTypeOf,
  RouterValidator,
  type SentRouter,
  type StoredVersion,
  type TypedContent,
} from './router-validator.js';
export { RoutersModule } from './routers.module.js';
export { routerName, RoutersRepository, type NewRouter, type RouterValues } from './routers.repository.js';
export { partsOf } from './settings/parts.js';
export { withoutUsers } from './settings/people.js';
export { ownerFieldOf, shownSettings } from './settings/settings.js';
export type { FlatSettings } from './settings/people.js';
export { DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS, TRIGGER_OPERATORS } from './router-validator.js';

export { RouterDto } from './dto/router.dto.js';
export { compilableRouter } from './compilable-router.js';
export { fieldLookup } from './field-lookup.js';
export type { RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
export { routerSchemas } from './router.schemas.js';
export { RouterValidator } from './router-validator.js';
export { RoutersModule } from './routers.module.js';
export { RoutersRepository, type RouterValues } from './routers.repository.js';
export { DISTRIBUTION_MODELS, ELIGIBILITY_CHECKS, TRIGGER_OPERATORS } from './routing-extensions.js';

export { configureHttp } from './configure-http.js';
export { EndpointConventions, type EndpointConvention } from './endpoint-conventions.js';
export { FastExpressAdapter } from './fast-express.adapter.js';
export { ClientNetwork } from './connection/client-network.js';
export { requestOf, responseOf } from './request-of.js';
export { deadlineOf, headerValues } from './middleware.js';
export { Entity, type EntityAnswer } from './preconditions/entity.decorator.js';
export type { Preconditions } from './preconditions/preconditions.js';
export { LocatedAs, type Located } from './located.decorator.js';
export { RequestId, requestId as requestIdOf } from './request-id.js';
export { RepeatedAnswerError } from './errors/repeated-answer.error.js';
export { batchAnswer, errorBody } from './errors/error-body.js';
export { HttpModule } from './http.module.js';
export { BodyGuard, ParseGuard } from './body/body.guard.js';
export { whenAnswered, whenClosed } from './connection/when-closed.js';
export {
  page,
  rowPage,
  type Page,
  type PageRange,
  type PageRequest,
  type SearchPage,
} from '../paging/index.js';
export {
  after,
  archived,
  flag,
  limit,
  offset,
  optionalText,
  properties,
  version,
} from './query/parameters.js';
export {
  dtoBody,
  emptyBody,
  PartsOfRequest,
  ValidRequest,
  ValidatedBodyPipe,
  type RequestParts,
} from './query/request-parts.js';
export { ParameterError, type ParameterParser } from './query/query-parameters.js';
export { collectQuery, NoQueryParameters, QueryParameters } from './query/query.decorator.js';
export {
  ApiAfter,
  ApiErrors,
  ApiFilter,
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiIfNoneMatch,
  ETAG,
  ApiId,
  ApiLimit,
  ApiPageQuery,
  ApiPageRange,
} from './openapi/documentation.decorators.js';
export { describeApp } from './openapi/openapi-document.js';
export { serveDocumentation } from './openapi/serve-documentation.js';
export {
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
export {
  ProvidesOpenApiSchemas,
  ProvidesSecuritySchemes,
  type SecuritySchemes,
} from './openapi/openapi-schemas.decorator.js';
export { errorProperties, errorSchema, FAILING_FIELDS, NEXT } from './openapi/common.schemas.js';
export {
  ARCHIVED,
  closedObject,
  EMAIL,
  ID,
  INSTANT,
  integer,
  listOf,
  NAME,
  orNull,
  pageOf,
  reference,
  text,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from './openapi/schemas.js';

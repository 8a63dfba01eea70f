export { configureHttp } from './configure-http.js';
export { EndpointConventions, type EndpointConvention } from './endpoint-conventions.js';
export { FastExpressAdapter } from './fast-express.adapter.js';
export { ClientNetwork, networkOf } from './connection/connection-limits.js';
export {
  deadlineOf,
  headerValues,
  RequestId,
  requestId as requestIdOf,
  requestOf,
  responseOf,
} from './middleware.js';
export {
  Entity,
  LocatedAs,
  type EntityAnswer,
  type Located,
  type Preconditions,
} from './preconditions/preconditions.js';
export { batchAnswer, errorBody, RepeatedAnswerError } from './errors/error-body.js';
export { HttpModule } from './http.module.js';
export { BodyGuard, ParseGuard } from './body/body.guard.js';
export { whenAnswered, whenClosed } from './connection/owed-answers.js';
export { page, type Page, type PageRange, type PageRequest, type SearchPage } from '../paging/index.js';
export {
  after,
  archived,
  described,
  dry_run,
  expandOf,
  flag,
  instant,
  limit,
  offset,
  oneOf,
  optionalFlag,
  optionalInteger,
  optionalText,
  ParameterError,
  type ParameterParser,
  properties,
  q,
  several,
  version,
} from './query/parameters.js';
export {
  collectQuery,
  dtoBody,
  emptyBody,
  NoQueryParameters,
  PartsOfRequest,
  QueryParameters,
  ValidRequest,
  ValidatedBodyPipe,
  type PartsOf,
  type RequestParts,
} from './query/request-parts.js';
export {
  ApiAnswer,
  ApiErrors,
  ApiNotModified,
  ApiId,
  ApiIdempotencyKey,
  ApiRoute,
  documenting,
  ETAG,
  ProvidesOpenApiSchemas,
  SECURITY_SCHEMES,
  type AnswerDocs,
  type RouteDocs,
  type SecuritySchemes,
} from './openapi/documentation.decorators.js';
export { describeApp } from './openapi/openapi-document.js';
export { serveDocumentation } from './openapi/serve-documentation.js';
export {
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiExcludeController,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
export {
  ARCHIVED,
  CHANGED_VALUES,
  closedObject,
  EMAIL,
  errorProperties,
  errorSchema,
  FAILING_FIELDS,
  ID,
  INSTANT,
  integer,
  listOf,
  NAME,
  NEXT,
  orNull,
  pageOf,
  reference,
  type Schema,
  type Schemas,
  text,
  TIME,
  wordOf,
} from './openapi/schemas.js';

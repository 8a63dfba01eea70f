export { isPlainObject } from './body/is-plain-object.js';
export { ValidatedBodyPipe } from './body/validated-body.pipe.js';
export { page, type Page, type PageRange, type PageRequest } from './query/page.js';
export { archived, limit, offset, optionalText, properties } from './query/parameters.js';
export { QueryParameters } from './query/query.decorator.js';
export { ApiErrors, ApiPageQuery } from './openapi/documentation.decorators.js';
export { errorObject, FAILING_FIELDS } from './openapi/common.schemas.js';
export {
  closedObject,
  ID,
  pageOf,
  reference,
  text,
  TIME,
  type Schema,
  type Schemas,
} from './openapi/schemas.js';

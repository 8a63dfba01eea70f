import { parse } from 'node:querystring';
import {
  createParamDecorator,
  Injectable,
  UseGuards,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Request } from 'express';
import { Failures } from '../../errors/errors.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { shownName } from '../../text/shown-name.js';
import { validateDto } from '../../validation/validate-dto.js';
import { isDecodable, requestOf } from '../middleware.js';
import { ApiIfMatch, ApiIfNoneMatch, documenting } from '../openapi/documentation.decorators.js';
import { readIfMatch, readIfNoneMatch, type Preconditions } from '../preconditions/preconditions.js';
import { parseQuery, type ParameterParser, type ParameterParsers } from './parameters.js';

type AnyParsers = Readonly<Record<string, ParameterParser<unknown>>>;

/** Reads a body and adds what is wrong with it. What could not be read of a bad one is undefined. */
export type BodyReading = (body: unknown, failures: Failures) => unknown;

/** What is read of a request. */
interface RequestPartsOptions {
  /** Name of the path parameter that holds the id. */
  readonly parameter?: string;
  /** Whether what the path parameter holds may be stored, so that it must be readable. */
  readonly isStored?: boolean;
  /** The query parameters that the route takes, each with its parser; none unless given. */
  readonly query?: AnyParsers;
  readonly body?: BodyReading;
  /** The preconditions that the route takes: `If-Match`, for one that may create `If-None-Match: *` too. */
  readonly preconditions?: 'If-Match' | 'If-None-Match';
}

/** The parts of a request. Those that have failed are undefined. */
export interface RequestParts<Query, Body> {
  /** What the path has in place of the id, which may be any text. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Those that the route takes. */
  readonly preconditions: Preconditions;
  /** All that is wrong with query and body so far. */
  readonly failures: Failures;
}

/** The parts that are read by options: of the types that the parsers and the reading of the body have. */
export type PartsOf<Options> = RequestParts<
  Options extends { readonly query: infer Query }
    ? { readonly [Name in keyof Query]: Query[Name] extends ParameterParser<infer Value> ? Value : never }
    : object,
  Options extends { readonly body: (...sent: never[]) => infer Body } ? Body : unknown
>;

/** Makes a parameter decorator that reads parts of a request, and documents query and preconditions. */
function reading<Data>(
  optionsOf: (data: Data) => RequestPartsOptions,
  read: (context: ExecutionContext, options: RequestPartsOptions) => unknown,
): (data: Data) => ParameterDecorator {
  const decorator = createParamDecorator((options: RequestPartsOptions, context: ExecutionContext) =>
    read(context, options),
  );
  return (data) => {
    const options = optionsOf(data);
    return documenting(decorator(options), ...documentationOf(options));
  };
}

function documentationOf({ query = {}, preconditions }: RequestPartsOptions): MethodDecorator[] {
  const parameters = Object.entries(query).flatMap(([name, { described }]) =>
    described === undefined ? [] : [ApiQuery({ name, required: false, ...described })],
  );
  return [
    ...parameters,
    ...(preconditions === undefined ? [] : [ApiIfMatch()]),
    ...(preconditions === 'If-None-Match'
      ? [ApiIfNoneMatch('`*` creates only: 412 where an active one has the key')]
      : []),
  ];
}

/**
 * Parameter decorator: the parts of a request, with all that is wrong with them, for a service that adds what
 * else it finds. The service must throw them.
 */
export const PartsOfRequest = reading((options: RequestPartsOptions) => options, partsOf);

/**
 * Parameter decorator: the parts of a request. Throws 400 listing all that is wrong with query parameters and
 * body together.
 */
export const ValidRequest = reading((options: RequestPartsOptions) => options, validParts);

/**
 * Parameter decorator: the query parameters, each read by its parser. Throws 400 listing every bad parameter
 * and every unknown one.
 */
export const QueryParameters = reading(
  (query: AnyParsers) => ({ query }),
  (context, options) => validParts(context, options).query,
);

const NONE_TAKEN: CanActivate = {
  canActivate: (context) => {
    validParts(context, {});
    return true;
  },
};

/**
 * Declares that a route takes no query parameters: throws 400 listing every one that is sent. It is a guard,
 * because guards of a route run after AccountGuard, which checks token and scope, and before the pipes that
 * check the body.
 */
export const NoQueryParameters = (): MethodDecorator & ClassDecorator => UseGuards(NONE_TAKEN);

/** Returns the reading of a body that is validated against a DTO class. */
export const dtoBody =
  <Dto extends object>(dto: Type<Dto>) =>
  (body: unknown, failures: Failures): Dto | undefined => {
    if (!isPlainObject(body)) {
      failures.add(() => ({ message: 'The body must be a JSON object' }));
      return undefined;
    }
    const result = validateDto(dto, body);
    if (!result.ok) failures.addAll(result.errors);
    return result.value;
  };

/**
 * Validates a body against its DTO class and returns an instance of it. Nest's own pipe drops keys such as
 * `__proto__` and `constructor`; this one refuses every key that the DTO does not declare.
 * @throws 400 listing every failing field and every unknown key
 */
@Injectable()
export class ValidatedBodyPipe implements PipeTransform {
  transform(body: unknown, { metatype }: ArgumentMetadata): unknown {
    const failures = new Failures();
    const value = dtoBody(metatype as Type<object>)(body, failures);
    failures.throwIfAny();
    return value;
  }
}

/** Reads a body that must say nothing, or an object without keys. */
export const emptyBody: BodyReading = (body, failures) => {
  if (body === undefined) return;
  if (!isPlainObject(body)) return failures.add(() => ({ message: 'The body must be a JSON object' }));
  for (const key of Object.keys(body).map(shownName)) {
    failures.add(() => ({ field: key, message: `Unknown key: ${key}` }));
  }
};

/**
 * Parses the query string of a request. The parser of Express drops parameters after the thousandth, without
 * an error.
 * @param parsers one for each parameter that the route takes
 * @param failures receives every bad parameter and every unknown one
 * @returns the parameters that are not bad
 */
export function collectQuery<T extends object>(
  { url }: Request,
  parsers: ParameterParsers<T>,
  failures: Failures,
): Partial<T> {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  return parseQuery(parse(query, '&', '=', { maxKeys: 0 }), parsers, failures);
}

/** As `partsOf`. @throws DomainError 400 listing all that is wrong */
function validParts(context: ExecutionContext, options: RequestPartsOptions): RequestParts<object, unknown> {
  const parts = partsOf(context, options);
  parts.failures.throwIfAny();
  return parts;
}

function partsOf(
  context: ExecutionContext,
  { parameter, isStored = false, query = {}, body, preconditions: taken }: RequestPartsOptions,
): RequestParts<object, unknown> {
  const request = requestOf(context);
  const failures = new Failures();
  const id = parameter === undefined ? '' : String(request.params[parameter]);
  if (isStored && !isDecodable(request.originalUrl)) {
    failures.add(() => ({ message: 'The path must be UTF-8, percent-encoded' }));
  }
  const parameters = collectQuery(request, query, failures);
  const preconditions = {
    ...(taken !== undefined && readIfMatch(request.headers, failures)),
    ...(taken === 'If-None-Match' && readIfNoneMatch(request.headers, failures)),
  };
  return { id, query: parameters, body: body?.(request.body, failures), preconditions, failures };
}

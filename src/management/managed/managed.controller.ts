import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  Inject,
  Patch,
  Post,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { PartialType } from '@nestjs/mapped-types';
import type { ClientContext, Scope } from '../../auth/index.js';
import { Client, insufficientScope, RequireScope, type Caller } from '../../auth/http.js';
import {
  after,
  ApiAnswer,
  ApiId,
  ApiNotModified,
  ApiRoute,
  ApiTags,
  archived,
  described,
  dry_run,
  dtoBody,
  Entity,
  flag,
  limit,
  offset,
  oneOf,
  q,
  QueryParameters,
  ValidRequest,
  type AnswerDocs,
  type EntityAnswer,
  type Page,
  type ParameterParser,
  type RequestParts,
  type RouteDocs,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import type { Tried } from '../change/changes.service.js';
import type { Removal } from './kind-declaration.js';
import { viewExample, type KindDocs } from './managed-docs.js';
import { viewVersion, type AnyKind, type Edit, type ListRequest, type ManagedView } from './managed-kind.js';

/** The class of a kind. */
export type KindType = Type<AnyKind> & { readonly docs: KindDocs };

/** The query parameters of every request that changes something. */
export interface WriteQuery {
  readonly dry_run: boolean;
}

type Answer = Promise<ManagedView & Tried>;

/** Returns what a request says of the object that it changes. */
export function editOf({ id, query, preconditions }: RequestParts<WriteQuery, unknown>): Edit {
  return { id, versions: preconditions.versions, dryRun: query.dry_run };
}

/** Returns the reading of a body that may be left out, where it says nothing. */
export function optionalBody(dto: Type<object>): ReturnType<typeof dtoBody> {
  const read = dtoBody(dto);
  return (body, failures) => read(body === undefined ? {} : body, failures);
}

/**
 * Lets a token without the scope `manage` change one key, such as the availability of a user, and nothing
 * else (contract section 6). It reads the body as it was sent.
 */
export class OneKeyGuard implements CanActivate {
  constructor(private readonly key: string) {}

  /** @throws DomainError 403 that names `manage` */
  canActivate(context: ExecutionContext): true {
    const request = context
      .switchToHttp()
      .getRequest<{ readonly user: ClientContext; readonly body?: unknown }>();
    const isLimited = !request.user.scopes.has('manage');
    // What is no object is refused as such.
    const keys = isPlainObject(request.body) ? Object.keys(request.body).join() : this.key;
    if (isLimited && keys !== this.key) throw insufficientScope('manage');
    return true;
  }
}

/** Creates the controller of one kind (contract section 6). */
export function managedController(type: KindType): Type {
  const { one, many, dto, read, limited, filters, orphan, searched, expand, ...docs } = type.docs;
  const { notes, example, changes = example, created, inUse } = docs;
  const name = capitalized(one);
  const parameter = `${one}Id`;
  const path = `:${parameter}`;
  const entity = { name: many, versionOf: viewVersion };
  const write = { parameter, preconditions: 'If-Match', query: { dry_run } } as const;
  const removal = orphan === undefined ? {} : { orphan: flagParser(orphan) };
  const expanded = expand && { expand: oneOf([expand.word], { description: expand.description }) };
  const listed = {
    ...(searched && { q }),
    ...filters,
    limit,
    offset,
    after,
    archived,
    ...expanded,
  };
  class ChangesDto extends PartialType(dto, { skipNullProperties: false }) {}

  @ApiTags(capitalized(many))
  @Controller(many)
  class ManagedController {
    constructor(@Inject(type) private readonly kind: AnyKind) {}

    @Route('get', '', {
      id: `list${capitalized(many)}`,
      summary: `List ${many}`,
      description: 'In creation order, the active ones unless `archived` is true.',
      scopes: read,
      answer: { schema: `${name}List` },
    })
    list(
      @Client() client: ClientContext,
      @QueryParameters(listed) query: ListRequest,
    ): Promise<Page<ManagedView>> {
      return this.kind.list(client, query);
    }

    @Route('post', '', {
      id: `create${name}`,
      summary: `Create a ${one}`,
      description: notes.create,
      body: { schema: `New${name}`, example },
      answer: { schema: created ?? name, is: 'Created', status: 201 },
      version: 'ETag',
    })
    create(
      @Client() client: Caller,
      @ValidRequest({ query: { dry_run }, body: dtoBody(dto) })
      { body, query }: RequestParts<WriteQuery, object>,
      @Entity({ ...entity, path: 'collection' }) { created }: EntityAnswer,
    ): Answer {
      const made = this.kind.create(client, { dto: body, dryRun: query.dry_run });
      return query.dry_run ? made : made.then(created);
    }

    @Route('get', path, {
      id: `read${name}`,
      summary: `Read one ${one}`,
      description: `Active or archived. An id that the account does not have answers 404: \`${name} not found\`.`,
      scopes: read,
      answer: { schema: name },
      version: 'ETag',
    })
    get(
      @Client() client: ClientContext,
      @ValidRequest({ parameter, query: { ...expanded } })
      { id, query }: RequestParts<Pick<ListRequest, 'expand'>, never>,
      @Entity(entity) { present }: EntityAnswer,
    ): Promise<ManagedView> {
      return this.kind.get(client, { id, expand: query.expand }).then(present);
    }

    @Route('patch', path, {
      id: `update${name}`,
      summary: `Change a ${one}`,
      description: notes.update,
      scopes: ['manage', ...(limited === undefined ? [] : [limited.scope])],
      body: { schema: `${name}Changes`, example: changes },
      answer: { schema: name, is: 'Changed, or already so' },
      version: 'both',
    })
    @UseGuards(...(limited === undefined ? [] : [new OneKeyGuard(limited.key)]))
    update(
      @Client() client: Caller,
      @ValidRequest({ ...write, body: dtoBody(ChangesDto) }) sent: RequestParts<WriteQuery, object>,
      @Entity(entity) { present }: EntityAnswer,
    ): Answer {
      return this.kind.update(client, { ...editOf(sent), dto: sent.body }).then(present);
    }

    @Route('delete', path, {
      id: `archive${name}`,
      summary: `Archive a ${one}`,
      description: notes.archive,
      answer: {
        schema: name,
        is: 'Archived',
        example: { ...viewExample(type.docs), archived: '2026-06-12T08:00:00.000Z' },
      },
      conflict: inUse && { schema: `${name}InUse`, is: inUse.description, example: inUse.example },
      version: 'both',
    })
    archive(
      @Client() client: Caller,
      @ValidRequest({ ...write, query: { ...removal, dry_run } })
      sent: RequestParts<WriteQuery & Removal, never>,
      @Entity(entity) { present }: EntityAnswer,
    ): Answer {
      const edit = { ...editOf(sent), orphan: sent.query.orphan };
      return this.kind.archive(client, edit).then(present);
    }
  }

  Object.defineProperty(ManagedController, 'name', { value: `${capitalized(many)}Controller` });
  return ManagedController;
}

/** Reads a flag that is false unless it is sent. */
export function flagParser(description: string): ParameterParser<boolean> {
  return described(flag, { description, schema: { type: 'boolean', default: false } });
}

const METHODS = { get: Get, post: Post, patch: Patch, delete: Delete };

/** What a route needs, and what the OpenAPI document says of it beside the errors that all of them have. */
export interface RouteOptions extends Omit<RouteDocs, 'isRecord' | 'errors'> {
  /** Of which each is enough; `manage` unless given. */
  readonly scopes?: readonly [Scope, ...Scope[]] | undefined;
  /** The 409 where it has more than every error. */
  readonly conflict?: AnswerDocs | undefined;
  /** Whether the answer has an ETag, the request may have an If-Match, or both. */
  readonly version?: 'ETag' | 'If-Match' | 'both';
}

/** Declares and documents a route that needs a scope. @param path below that of the controller */
export function Route(method: keyof typeof METHODS, path: string, options: RouteOptions): MethodDecorator {
  const { scopes = ['manage'], conflict, version, ...docs } = options;
  const ids = [...path.matchAll(/:(\w+Id)/g)].map(([, name = '']) => name);
  const isRead = method === 'get';
  const isRecord = version === 'ETag' || version === 'both';
  const writes = isRead ? [] : [409, 413, 415];
  const changed = version === 'If-Match' || version === 'both' ? [412] : [];
  const errors = [...ids.map(() => 404), ...writes, ...changed];
  return applyDecorators(
    METHODS[method](path),
    RequireScope(...scopes),
    ...ids.map(ApiId),
    ApiRoute({ ...docs, isRecord, errors }),
    ...(isRead && isRecord ? [ApiNotModified()] : []),
    ...(conflict === undefined ? [] : [ApiAnswer({ ...conflict, status: 409 })]),
  );
}

import {
  Controller,
  Delete,
  Get,
  Inject,
  Param,
  Patch,
  Post,
  UseGuards,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { PartialType } from '@nestjs/mapped-types';
import type { ClientContext, Scope } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import {
  after,
  ApiTags,
  archived,
  dry_run,
  dtoBody,
  Entity,
  type EntityAnswer,
  limit,
  NoQueryParameters,
  offset,
  type Page,
  type ParameterParser,
  QueryParameters,
  type RequestParts,
  ValidRequest,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import type { Tried } from '../change/changes.service.js';
import { kindRoutes, type KindDocs } from './managed-docs.js';
import type { AnyKind, Removal } from './managed-kind.js';
import { ManagedService, type Edit, type ListRequest } from './managed.service.js';
import { viewVersion, type ManagedView } from './managed-view.js';

type Parsers = Readonly<Record<string, ParameterParser<unknown>>>;

/** What the routes of one kind are made of. */
export interface KindRoutes {
  readonly kind: Type<AnyKind>;
  readonly docs: KindDocs;
  /** The body of a POST; a PATCH has some of its keys. */
  readonly dto: Type<object>;
  /** The scopes of which each is enough to read. */
  readonly read?: readonly [Scope, ...Scope[]];
  /** The scopes of which each is enough for a PATCH. */
  readonly update?: readonly [Scope, ...Scope[]];
  /** What decides whether a PATCH is allowed beside its scope. */
  readonly guards?: readonly Type<CanActivate>[];
  /** The query parameters of a list beside those of every list. */
  readonly filters?: Parsers;
  /** Those of a DELETE, as Removal has them. */
  readonly removal?: Parsers;
}

/** The query parameters of every request that changes something. */
export interface WriteQuery {
  readonly dry_run: boolean;
}

/** Returns what a request says of the object that it changes. */
export function editOf({ id, query, preconditions }: RequestParts<WriteQuery, unknown>): Edit {
  return { id, versions: preconditions.versions, dryRun: query.dry_run };
}

/** Returns the reading of a body that may be left out, where it says nothing. */
export function optionalBody(dto: Type<object>): ReturnType<typeof dtoBody> {
  const read = dtoBody(dto);
  return (body, failures) => read(body === undefined ? {} : body, failures);
}

/** Creates the controller of one kind (contract section 6). */
export function managedController(routes: KindRoutes): Type {
  const { docs, dto, read = ['manage'], update = ['manage'], guards = [], removal = {} } = routes;
  const { one, many } = docs;
  const parameter = `${one}Id`;
  const path = `:${parameter}`;
  const documented = kindRoutes(docs);
  const entity = { name: many, versionOf: viewVersion };
  const write = { parameter, preconditions: 'If-Match', query: { dry_run } } as const;
  class ChangesDto extends PartialType(dto, { skipNullProperties: false }) {}

  @ApiTags(capitalized(many))
  @Controller(many)
  class ManagedController {
    constructor(
      private readonly managed: ManagedService,
      @Inject(routes.kind) private readonly kind: AnyKind,
    ) {}

    @Get()
    @RequireScope(...read)
    @documented.list
    list(
      @Client() client: ClientContext,
      @QueryParameters({ ...routes.filters, limit, offset, after, archived }) query: ListRequest,
    ): Promise<Page<ManagedView>> {
      return this.managed.list(this.kind, client, query);
    }

    @Post()
    @RequireScope('manage')
    @documented.create
    create(
      @AuditedClient() client: Caller,
      @ValidRequest({ query: { dry_run }, body: dtoBody(dto) })
      { body, query }: RequestParts<WriteQuery, object>,
      @Entity({ ...entity, path: 'collection' }) { created }: EntityAnswer,
    ): Promise<ManagedView & Tried> {
      const made = this.managed.create(this.kind, client, { dto: body, dryRun: query.dry_run });
      return query.dry_run ? made : made.then(created);
    }

    @Get(path)
    @RequireScope(...read)
    @NoQueryParameters()
    @documented.read
    get(
      @Client() client: ClientContext,
      @Param(parameter) id: string,
      @Entity(entity) { present }: EntityAnswer,
    ): Promise<ManagedView> {
      return this.managed.get(this.kind, client, id).then(present);
    }

    @Patch(path)
    @RequireScope(...update)
    @UseGuards(...guards)
    @documented.update
    update(
      @AuditedClient() client: Caller,
      @ValidRequest({ ...write, body: dtoBody(ChangesDto) }) sent: RequestParts<WriteQuery, object>,
      @Entity(entity) { present }: EntityAnswer,
    ): Promise<ManagedView & Tried> {
      return this.managed.update(this.kind, client, { ...editOf(sent), dto: sent.body }).then(present);
    }

    @Delete(path)
    @RequireScope('manage')
    @documented.archive
    archive(
      @AuditedClient() client: Caller,
      @ValidRequest({ ...write, query: { ...removal, dry_run } })
      sent: RequestParts<WriteQuery & Removal, never>,
      @Entity(entity) { present }: EntityAnswer,
    ): Promise<ManagedView & Tried> {
      const edit = { ...editOf(sent), orphan: sent.query.orphan };
      return this.managed.archive(this.kind, client, edit).then(present);
    }
  }

  Object.defineProperty(ManagedController, 'name', { value: `${capitalized(many)}Controller` });
  return ManagedController;
}

import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, type Caller } from '../../auth/http.js';
import {
  ApiTags,
  described,
  dry_run,
  dtoBody,
  emptyBody,
  Entity,
  type EntityAnswer,
  PartsOfRequest,
  type RequestParts,
  ValidRequest,
  version,
} from '../../http/index.js';
import { routerVersionOf, type RouterView, type VersionChoice } from '../../routers/index.js';
import type { Tried } from '../change/changes.service.js';
import { editOf, optionalBody, type WriteQuery } from '../managed/managed.controller.js';
import { NewRouterDto, PublishDto, RollbackDto, RouterChangesDto } from './router-bodies.dto.js';
import * as documented from './router.documentation.js';
import { RoutersManagementService } from './routers-management.service.js';

const ENTITY = { name: 'routers', versionOf: routerVersionOf };
const WRITE = { parameter: 'routerId', query: { dry_run }, preconditions: 'If-Match' } as const;

/** The versions that are compared. */
type Compared = Readonly<Record<'from' | 'to', VersionChoice>>;

const DESCRIBED = {
  schema: { type: 'string', maxLength: 10, pattern: '^(live|draft|[1-9]\\d{0,9})$' },
} as const;
const COMPARED = {
  from: described(version, { ...DESCRIBED, description: '`live` (unless given), `draft` or a number' }),
  to: described((raw, name, query) => version(raw ?? 'draft', name, query), {
    ...DESCRIBED,
    description: '`live`, `draft` (unless given) or a number',
  }),
};

@ApiTags('Routers')
@Controller('routers')
export class RoutersManagementController {
  constructor(private readonly routers: RoutersManagementService) {}

  /** Creates a router. Nobody runs it before it is published (contract section 6). */
  @Post()
  @documented.Create
  create(
    @AuditedClient() client: Caller,
    @PartsOfRequest({ query: { dry_run }, body: dtoBody(NewRouterDto) })
    { query, ...sent }: RequestParts<WriteQuery, NewRouterDto>,
    @Entity({ ...ENTITY, path: 'collection' }) { created }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    const router = this.routers.create(client, { sent, dryRun: query.dry_run });
    return query.dry_run ? router : router.then(created);
  }

  /** Changes the draft of a router; what is live stays as it is until the draft is published. */
  @Patch(':routerId')
  @documented.Update
  update(
    @AuditedClient() client: Caller,
    @PartsOfRequest({ ...WRITE, body: dtoBody(RouterChangesDto) })
    sent: RequestParts<WriteQuery, RouterChangesDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.update(client, { ...editOf(sent), sent }).then(present);
  }

  /** Archives a router. Its name is free again. */
  @Delete(':routerId')
  @documented.Archive
  archive(
    @AuditedClient() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.archive(client, editOf(sent)).then(present);
  }

  /** Makes the draft live with the next dispatch, all at once. */
  @Post(':routerId/publish')
  @documented.Publish
  publish(
    @AuditedClient() client: Caller,
    @ValidRequest({ ...WRITE, body: optionalBody(PublishDto) }) sent: RequestParts<WriteQuery, PublishDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.publish(client, { ...editOf(sent), note: sent.body.note ?? null }).then(present);
  }

  /** Takes a router out of use with the next dispatch. */
  @Post(':routerId/unpublish')
  @documented.Unpublish
  unpublish(
    @AuditedClient() client: Caller,
    @ValidRequest({ ...WRITE, body: emptyBody }) sent: RequestParts<WriteQuery, undefined>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.unpublish(client, editOf(sent)).then(present);
  }

  /** Makes an earlier version live again with the next dispatch, all at once. */
  @Post(':routerId/rollback')
  @documented.RollBack
  rollBack(
    @AuditedClient() client: Caller,
    @ValidRequest({ ...WRITE, body: dtoBody(RollbackDto) }) sent: RequestParts<WriteQuery, RollbackDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.rollBack(client, { ...editOf(sent), version: sent.body.version }).then(present);
  }

  /** Discards the draft. */
  @Delete(':routerId/draft')
  @documented.Discard
  discard(
    @AuditedClient() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.discard(client, editOf(sent)).then(present);
  }

  /** The values in which two versions of a router differ (contract section 6). */
  @Get(':routerId/diff')
  @documented.Diff
  diff(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: COMPARED }) { id, query }: RequestParts<Compared, never>,
  ): Promise<Tried> {
    return this.routers.diff(client, id, query);
  }
}

import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import { FieldDto } from '../../fields/index.js';
import {
  ApiTags,
  type Located,
  LocatedAs,
  NoQueryParameters,
  type Page,
  QueryParameters,
  type RequestParts,
  ValidRequest,
  after,
  archived,
  dtoBody,
  limit,
  offset,
} from '../../http/index.js';
import { documented } from '../change/documented.js';
import { FieldChangesDto } from './field-changes.dto.js';
import { FIELD_CHANGES_EXAMPLE, FIELD_EXAMPLE, FIELD_SHOWN } from './field.schemas.js';
import type { FieldView } from './field-view.js';
import { FieldsService, type FieldsRequest } from './fields.service.js';
import { objectType } from './object-type.parameter.js';

const field = documented({
  one: 'field',
  parameter: 'fieldId',
  schema: 'Field',
  example: FIELD_EXAMPLE,
  changes: FIELD_CHANGES_EXAMPLE,
  notes: {
    create: 'An archived field with the name becomes active again, with the values of records.',
    update:
      'Changes the keys that the body has: `options` is the whole list, of which what records, triggers or ' +
      'capacities name cannot be left out. The type and the names of a field stay.',
    archive: 'Hides a custom field with its values. Refused while a router or a capacity names it.',
  },
  shown: FIELD_SHOWN,
});

@ApiTags('Fields')
@Controller('fields')
export class FieldsController {
  constructor(private readonly fields: FieldsService) {}

  /** The standard and the custom fields of the account in creation order, with their options. */
  @Get()
  @RequireScope('records:read', 'manage')
  @field.List()
  list(
    @Client() client: ClientContext,
    @QueryParameters({ object_type: objectType, limit, offset, after, archived }) query: FieldsRequest,
  ): Promise<Page<FieldView>> {
    return this.fields.list(client, query);
  }

  /** Creates a custom field. An archived one with the name becomes active again, with its values. */
  @Post()
  @RequireScope('manage')
  @field.Create()
  create(
    @AuditedClient() client: Caller,
    @ValidRequest({ body: dtoBody(FieldDto) }) { body }: RequestParts<never, FieldDto>,
    @LocatedAs('fields') located: Located,
  ): Promise<FieldView> {
    return this.fields.create(client, body).then(located);
  }

  /** One field, archived or not. */
  @Get(':fieldId')
  @RequireScope('records:read', 'manage')
  @NoQueryParameters()
  @field.Read()
  get(@Client() client: ClientContext, @Param('fieldId') id: string): Promise<FieldView> {
    return this.fields.get(client, id);
  }

  /** Changes the keys that the body has. `options` is the whole list: others are removed. */
  @Patch(':fieldId')
  @RequireScope('manage')
  @field.Update()
  update(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'fieldId', body: dtoBody(FieldChangesDto) })
    { id, body: dto }: RequestParts<never, FieldChangesDto>,
  ): Promise<FieldView> {
    return this.fields.update(client, { id, dto });
  }

  /** Archives a custom field that no router and no capacity names. Its values are kept and hidden. */
  @Delete(':fieldId')
  @RequireScope('manage')
  @NoQueryParameters()
  @field.Archive()
  archive(@AuditedClient() client: Caller, @Param('fieldId') id: string): Promise<FieldView> {
    return this.fields.archive(client, id);
  }
}

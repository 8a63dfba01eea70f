import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const TIME = { type: 'string', format: 'date-time' };
const PERCENTAGE = { type: 'number', description: 'Share, under the percentage model' };

/** The schemas of routers in the OpenAPI document. */
export function routerSchemas(): Schemas {
  return {
    Router: ROUTER,
    RouterList: {
      type: 'object',
      required: ['data', 'pagination'],
      properties: {
        data: { type: 'array', items: { $ref: '#/components/schemas/Router' } },
        pagination: { $ref: '#/components/schemas/Pagination' },
      },
    },
  };
}

const SETTINGS = {
  type: ['object', 'null'],
  description: 'Flat; null for a router that was never given settings',
  properties: {
    owner_field: { type: 'string' },
    overwrite: { type: 'boolean' },
    overwrite_if_unavailable: { type: 'boolean' },
    distribution_model: { type: 'string' },
    rotation_type: { type: 'string', enum: ['users', 'teams'] },
    default_user: { type: ['string', 'null'] },
    disable_default_assignment: { type: 'boolean' },
    ignore_working_hours: { type: 'boolean' },
    account_matching: { type: 'boolean' },
    account_matching_unavailable_owner: { type: 'string', enum: ['assign'], description: 'Only where set' },
    reimburse_within_minutes: { type: 'integer', description: 'Only where set' },
    trigger: { type: 'object', description: 'Groups are OR-ed, conditions in a group AND-ed' },
    rules: { type: 'array', items: { type: 'object' }, description: 'Only where the router has rules' },
  },
};

const ROUTER = {
  type: 'object',
  required: [
    'id',
    'name',
    'object_type',
    'has_integration',
    'is_published',
    'settings',
    'users',
    'teams',
    'created_at',
    'updated_at',
    'archived',
  ],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    object_type: { type: 'string', enum: ['contacts', 'companies', 'deals', 'tickets'] },
    has_integration: { type: 'boolean', enum: [false] },
    is_published: { type: 'boolean' },
    settings: SETTINGS,
    users: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'email', 'name', 'timezone', 'available'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          email: { type: 'string' },
          name: { type: ['string', 'null'] },
          timezone: { type: 'string', description: 'IANA zone name' },
          available: { type: 'boolean' },
          percentage: PERCENTAGE,
        },
      },
    },
    teams: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'name', 'members'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string' },
          members: { type: 'array', items: { type: 'string' }, description: 'E-mail addresses' },
          percentage: PERCENTAGE,
        },
      },
    },
    created_at: TIME,
    updated_at: TIME,
    archived: { oneOf: [{ type: 'boolean', enum: [false] }, TIME] },
    archived_by: { type: 'string', description: 'Only when archived' },
  },
};

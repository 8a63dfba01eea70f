/** What answers show of a published router, for the OpenAPI document. */
export const ROUTER_SHOWN = {
  id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  name: 'Inbound',
  object_type: 'contacts',
  has_integration: false,
  is_published: true,
  settings: {
    owner_field: 'contact_owner',
    overwrite: true,
    overwrite_if_unavailable: false,
    distribution_model: 'round robin',
    rotation_type: 'users',
    default_user: null,
    disable_default_assignment: false,
    ignore_working_hours: false,
    account_matching: false,
    trigger: { groups: [{ conditions: [{ field: 'country', operator: 'eq', value: 'Norway' }] }] },
  },
  users: [
    {
      id: '019a8f2c-8a10-7c44-b6f1-1c2d3e4f5a6b',
      email: 'ada@acme.test',
      name: 'Ada Lovelace',
      timezone: 'America/New_York',
      available: true,
    },
  ],
  teams: [{ id: '019a8f2c-8b21-7e55-a7a2-2d3e4f5a6b7c', name: 'Sales', members: ['ada@acme.test'] }],
  created_at: '2026-06-09T08:00:00.000Z',
  updated_at: '2026-06-10T21:05:06.789Z',
  archived: false,
};

import { closedObject, listOf, reference, type Schemas } from '../../http/index.js';
import { dtoSchemas } from '../managed/dto-schemas.js';
import { NewRouterDto, PublishDto, RollbackDto } from './router-bodies.dto.js';

/** The body of a request that creates a router. */
export const ROUTER_EXAMPLE = {
  name: 'Nordic',
  object_type: 'contacts',
  settings: { overwrite: true, distribution_model: 'round robin' },
  users: [{ email: 'ada@demo.test' }],
  teams: [{ name: 'Sales' }],
};

/** The body of a request that changes its draft. */
export const ROUTER_CHANGES_EXAMPLE = { settings: { default_user: 'ada@demo.test' } };

const SHARE = 'Share, under the percentage model';
const ABOUT = {
  object_type: 'Cannot change',
  settings: 'The keys of `settings` of a router. Keys that are left out stay; null removes all of them',
  'users.percentage': SHARE,
  'teams.percentage': SHARE,
};

/** Returns the schemas of the bodies that write routers in the OpenAPI document. */
export function routerBodySchemas(): Schemas {
  const body = closedObject({}, dtoSchemas(NewRouterDto, ABOUT).values);
  const note = { note: 'For those who read the versions' };
  return {
    NewRouter: { ...body, required: ['name', 'object_type'] },
    RouterChanges: body,
    RouterPublication: closedObject({}, dtoSchemas(PublishDto, note).values),
    RouterRollback: closedObject(dtoSchemas(RollbackDto).values),
    RouterDiff: {
      ...closedObject({ changes: listOf(reference('ValueChange')) }),
      examples: [{ changes: [{ path: 'settings.overwrite', from: false, to: true }] }],
    },
  };
}

import { TeamDto } from '../../directory/index.js';
import { EMAIL, listOf, NAME, q } from '../../http/index.js';
import { managedController } from '../managed/managed.controller.js';
import type { KindDocs } from '../managed/managed-docs.js';
import { TeamsKind } from './teams.kind.js';

export const TEAM_DOCS: KindDocs = {
  one: 'team',
  many: 'teams',
  notes: {
    create:
      'An archived team with the name becomes active again, under the same id: what the body leaves out is as it was.',
    update: 'Changes the keys that the body has: `members` is the whole list. Routers follow another `name`.',
    archive: 'Refused while a router or a capacity names the team.',
  },
  values: {
    name: { ...NAME, description: 'Unique among active teams' },
    members: { ...listOf(EMAIL), description: 'Users in the order of their turns' },
  },
  required: ['name'],
  example: { name: 'Support', members: ['ada@demo.test', 'grace@demo.test'] },
};

/** `/teams` (contract section 6). */
export const TeamsController = managedController({
  kind: TeamsKind,
  docs: TEAM_DOCS,
  dto: TeamDto,
  read: ['directory:read', 'manage'],
  filters: { q },
});

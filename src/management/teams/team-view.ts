import type { Directory, TeamEntity } from '../../directory/index.js';
import { teamForm } from '../forms/team-form.js';

/** A team as clients that manage the account see it: the keys of the configuration file, and when. */
export interface TeamView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when the team was archived. */
  readonly archived: false | string;
}

/** Returns the view of a team. @param directory with its members */
export function teamView(team: TeamEntity, directory: Directory): TeamView {
  return {
    id: team.id,
    ...teamForm(team, directory),
    created_at: team.createdAt.toISOString(),
    updated_at: team.updatedAt.toISOString(),
    archived: team.archivedAt?.toISOString() ?? false,
  };
}

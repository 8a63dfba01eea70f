import type { Directory, TeamEntity } from '../../directory/index.js';
import { managedView, type ManagedView } from '../change/managed-row.js';
import { teamForm } from '../forms/team-form.js';

/** A team as clients that manage the account see it: the keys of the configuration file, and when. */
export type TeamView = ManagedView;

/** Returns the view of a team. @param directory with its members */
export function teamView(team: TeamEntity, directory: Directory): TeamView {
  return managedView(team, teamForm(team, directory));
}

import type { UserEntity } from '../../directory/index.js';
import { managedView, type ManagedView } from '../change/managed-row.js';
import { userForm } from '../forms/user-form.js';

/** A user as clients that manage the account see it: the keys of the configuration file, and when. */
export type UserView = ManagedView;

/** Returns the view of a user. */
export function userView(user: UserEntity): UserView {
  return managedView(user, userForm(user));
}

import type { UserEntity } from '../../directory/index.js';
import { userForm } from '../forms/user-form.js';

/** A user as clients that manage the account see it: the keys of the configuration file, and when. */
export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when the user was archived. */
  readonly archived: false | string;
}

/** Returns the view of a user. */
export function userView(user: UserEntity): UserView {
  return {
    id: user.id,
    ...userForm(user),
    email: user.email,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    archived: user.archivedAt?.toISOString() ?? false,
  };
}

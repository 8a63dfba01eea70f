import type { UserEntity, UserValues } from '../../directory/index.js';

/** Returns a user as the configuration file spells it. Values that are not given are undefined. */
export function userForm(user: UserValues & Pick<UserEntity, 'email'>): object {
  return {
    email: user.email,
    name: user.name,
    timezone: user.timezone,
    available: user.available,
    working_hours: user.workingHours,
    out_of_office: user.outOfOffice,
    holidays: user.holidays,
    limits: user.limits,
  };
}

import type { UserEntity, UserValues } from '../../directory/index.js';

/** Returns a user as the configuration file spells it. Values that are not given are undefined. */
export function userForm(user: UserValues & Pick<UserEntity, 'email'>): object {
  return {
    email: user.email,
    name: user.name,
    timezone: user.timezone,
    available: user.available,
    // The columns do not keep the order of keys.
    working_hours:
      user.workingHours?.map(({ days, start, end }) => ({ days, start, end })) ?? user.workingHours,
    out_of_office: user.outOfOffice?.map(({ from, to }) => ({ from, to })),
    holidays: user.holidays,
    limits: user.limits,
  };
}

import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES } from '../../fields/index.js';
import { firstOf } from '../change/in-use.js';
import type { UserUse } from './user-uses.js';

/** Returns in words what names a user: `owns 1 deal, and is listed by the routers Inbound, VIP`. */
export function describeUse({ records, routers }: UserUse): string {
  const owned = OBJECT_TYPES.flatMap((type) => {
    const count = records[type] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? OBJECT_TYPE_RULES[type].singular : type}`];
  });
  const owns = owned.length === 0 ? [] : [`owns ${owned.join(' and ')}`];
  const names = routers.map(({ name }) => name);
  const listed = names.length === 1 ? 'the router' : 'the routers';
  return [...owns, ...(names.length === 0 ? [] : [`is listed by ${listed} ${firstOf(names)}`])].join(
    ', and ',
  );
}

/** 409: the user is not archived, because of what names them (contract section 6). */
export function userInUse(use: UserUse): DomainError {
  const message = `This user ${describeUse(use)}: change that first, or send orphan=true`;
  return new DomainError('conflict', message, { extra: { records: use.records, routers: use.routers } });
}

import { DomainError } from '../../errors/domain-error.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES } from '../../fields/index.js';
import type { UserUse } from './user-uses.js';

/** Returns in words what names a user: `owns 3 contacts and 1 deal, and is listed by 2 routers`. */
export function describeUse({ records, routers }: UserUse): string {
  const owned = OBJECT_TYPES.flatMap((type) => {
    const count = records[type] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? OBJECT_TYPE_RULES[type].singular : type}`];
  });
  const owns = owned.length === 0 ? [] : [`owns ${owned.join(' and ')}`];
  const listed = routers.length === 1 ? '1 router' : `${routers.length} routers`;
  return [...owns, ...(routers.length === 0 ? [] : [`is listed by ${listed}`])].join(', and ');
}

/** 409: the user is not archived, because of what names them (contract section 6). */
export function userInUse(use: UserUse): DomainError {
  const message = `This user ${describeUse(use)}: send orphan=true to archive the user nevertheless`;
  return new DomainError('conflict', message, { extra: { records: use.records, routers: use.routers } });
}

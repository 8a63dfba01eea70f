import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { isId } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';

/** The client on whose behalf `import` and `records export` read and write: no API client has such an id. */
export const IMPORT_CLIENT = 'import';

/** What a record says of a change that is not kept. */
const OFF = { kind: 'off' };

/** Whoever writes a record. */
export interface Writer extends AccountContext {
  /** Of the API client or the member, or IMPORT_CLIENT. */
  readonly clientId?: string;
  /** What is known of a member of the console; undefined for anybody else. */
  readonly member?: object;
}

/** Numbers of writes begin anywhere, so that no two processes have the same ones. */
const MOST = 2 ** 40;

/**
 * Says who changes a record, as the statement that changes it notes it in `changed_by`, from where a trigger
 * takes it to the history: `kind` (`client`, `user`, `router`, `import` or `system`), `id`, `request`, and
 * `n`, which no other write has. By that the trigger sees that this statement named an author.
 */
@Injectable()
export class WriteAuthors {
  private last = randomInt(MOST);

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY'>) {}

  /** Who writes on behalf of a client, as JSON. */
  of({ clientId = '', member, requestId }: Writer): string {
    if (this.settings.HISTORY === 'off') return JSON.stringify(OFF);
    this.last += 1;
    const by = { request: storable(requestId), n: this.last };
    if (isId(clientId))
      return JSON.stringify({ kind: member === undefined ? 'client' : 'user', id: clientId, ...by });
    return JSON.stringify({ kind: clientId === IMPORT_CLIENT ? 'import' : 'system', ...by });
  }

  /** A router that writes by an assignment. */
  router(id: string, assignment: string, requestId: string | undefined): object {
    return this.settings.HISTORY === 'off'
      ? OFF
      : { kind: 'router', id, assignment, request: storable(requestId) };
  }
}

/** A host may give its requests any ids. */
function storable(requestId: string | undefined): string | undefined {
  return requestId?.replace(/[\p{Surrogate}\0]/gu, '\ufffd') || undefined;
}

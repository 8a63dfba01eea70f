import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { isId } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';

/** The client on whose behalf `import` and `records export` read and write: no API client has such an id. */
export const IMPORT_CLIENT = 'import';

/** What a record says of a change that is not kept. */
export const NO_HISTORY = 'off';

/** Whoever writes a record. */
export interface Writer extends AccountContext {
  /** Of the API client, or IMPORT_CLIENT. */
  readonly clientId?: string;
}

/** Stands for what is not there. */
const NONE = '-';

/** Most fields that are named, and what their names look like. */
const MOST_NAMED = 4;
const NAME = /^\w{1,100}$/;

/** Numbers of writes begin anywhere, so that no two processes have the same ones. */
const MOST = 2 ** 40;

/**
 * Says who changes a record, as the statement that changes it notes it in `changed_by`, from where a trigger
 * takes it to the history: `client`, `router`, `import` or `system`, an id, the id of the request, and what
 * no other change of the record has. By that the trigger knows changes of statements that note nothing. The
 * fields that a statement sets may follow, with commas between them: the trigger compares these alone.
 */
@Injectable()
export class WriteAuthors {
  private last = randomInt(MOST);

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY'>) {}

  /**
   * Who writes on behalf of a client; NO_HISTORY where changes are not kept.
   * @param fields all that the statement may change; none for any. The trigger compares few of them faster.
   */
  of({ clientId = '', requestId }: Writer, fields: readonly string[] = []): string {
    if (this.settings.HISTORY === 'off') return NO_HISTORY;
    this.last += 1;
    const named = fields.length <= MOST_NAMED && fields.every((name) => NAME.test(name));
    const number = this.last.toString(36) + (named && fields.length > 0 ? ` ${fields.join(',')}` : '');
    if (isId(clientId)) return `client ${clientId} ${word(requestId)} ${number}`;
    const kind = clientId === IMPORT_CLIENT ? 'import' : 'system';
    return `${kind} ${NONE} ${word(requestId)} ${number}`;
  }

  /** The same of a router, without the id of the assignment; null where changes are not kept. */
  router(id: string, requestId: string | undefined): string | null {
    return this.settings.HISTORY === 'off' ? null : `router ${id} ${word(requestId)}`;
  }
}

/**
 * SQL of what a record says of a router that sets its fields.
 * @param by SQL of what `WriteAuthors.router` has returned
 * @param assignment SQL of the id of the assignment
 * @param fields SQL of the names of all fields that the statement sets, none of which has a space or a comma
 */
export const routedBy = (by: string, assignment: string, fields: readonly string[]): string =>
  `COALESCE(${[by, assignment, fields.join(` || ',' || `)].join(` || ' ' || `)}, '${NO_HISTORY}')`;

/** A host may give its requests any ids. */
function word(requestId: string | undefined): string {
  return requestId?.replace(/\s/g, '_') || NONE;
}

import type { PageRequest } from '../../paging/index.js';

/** The part of a list that a request asks for. */
export interface ListRequest extends PageRequest {
  /** The `next` of the page before; not together with an offset. */
  readonly after: string | undefined;
}

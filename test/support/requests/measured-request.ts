import type { ApiClient, ApiResponse } from '../api-client.js';
import type { RoutingAccount } from '../routing-account.js';

/** A request that is measured. */
export interface MeasuredRequest {
  readonly name: string;
  /** How many rows it names, or asks for; ALL for one that reads all of a type by its nature. */
  readonly rows: number;
  send(): Promise<ApiResponse>;
}

/** What a request reads that looks at all records of a type. */
export const ALL = Infinity;

/** Where requests are sent, in a round of their own. */
export interface MeasuredPlace {
  readonly account: RoutingAccount;
  /** A client with all scopes. */
  readonly admin: ApiClient;
  /** Another one in each round; a part of keys and names. */
  readonly key: string;
  /** The inputs of a batch. */
  readonly batch: number;
  /** Ids of contacts from all parts of the account, at least as many as a batch has. */
  readonly contacts: readonly string[];
}

/** The body of the last answer. Requests that follow name what it has created. */
export class LastAnswer {
  body: any;

  /** Keeps what a request answers. */
  async of(sent: Promise<ApiResponse>): Promise<ApiResponse> {
    const answer = await sent;
    this.body = answer.body;
    return answer;
  }
}

/** A request that names one row, unless it says how many. */
export const request = (name: string, send: () => Promise<ApiResponse>, rows = 1): MeasuredRequest => ({
  name,
  rows,
  send,
});

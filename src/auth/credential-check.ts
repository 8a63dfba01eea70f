import { Injectable } from '@nestjs/common';
import { Database, isId } from '../database/index.js';
import { FailedAttempts } from '../throttles/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';
import { secretMatches } from './secrets.js';
import { SharedLookups } from './shared-lookups.js';
import { invalidClient, tooManyFailures } from './token-errors.js';
import type { TokenRequest } from './token-request.js';

/**
 * Checks the credentials of a token request. A right secret is accepted from any address. Of an address with
 * too many failures, clients are looked up together, one statement at a time.
 */
@Injectable()
export class CredentialCheck {
  private readonly lookups: SharedLookups<ClientStatus>;

  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
    private readonly failures: FailedAttempts,
  ) {
    this.lookups = new SharedLookups((ids) => clients.findSeveralActive(database, ids));
  }

  /**
   * @param request its id in lower case
   * @param address under which a failed attempt is counted
   * @throws 401 `invalid_client`, or 429 after too many failures: the same for any wrong client or secret
   */
  async check(
    { clientId, clientSecret, basic }: Omit<TokenRequest, 'scope'>,
    address: string,
  ): Promise<ClientStatus> {
    const client = isId(clientId) ? await this.find(clientId, address) : undefined;
    const isRight = secretMatches(clientSecret, [client?.secretHash, client?.previousHash]);
    if (isRight && client !== undefined) return client;
    const seconds = this.failures.add(address);
    throw seconds === undefined ? invalidClient(basic) : tooManyFailures(seconds);
  }

  private find(clientId: string, address: string): Promise<ClientStatus | undefined> {
    return this.failures.isSpent(address)
      ? this.lookups.find(clientId)
      : this.clients.findActive(this.database, clientId);
  }
}

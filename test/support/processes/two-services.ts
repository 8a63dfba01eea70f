import { ApiClient } from '../api-client.js';
import { TestService } from '../test-service.js';

const UNLIMITED = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: '0' };

/** Two services on one database, for tests that send them more requests than clients may send. */
export class TwoServices {
  private constructor(
    readonly first: TestService,
    readonly second: TestService,
  ) {}

  static async start(): Promise<TwoServices> {
    const first = await TestService.start({ env: UNLIMITED });
    const second = await TestService.start({ database: first.database, env: UNLIMITED });
    return new TwoServices(first, second);
  }

  /** A client of the account with that slug, at either service. */
  async login(slug: string): Promise<readonly [ApiClient, ApiClient]> {
    return this.through(await this.first.login(slug));
  }

  /** That client of the first service, and one with its token at the second. */
  through(api: ApiClient): readonly [ApiClient, ApiClient] {
    return [api, new ApiClient(this.second.url, api.token)];
  }

  async stop(): Promise<void> {
    await this.second.stop();
    await this.first.stop();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { Outage } from './outage.js';
import type { ServerHold } from './server-hold.js';
import type { Attachment } from './server-sighting.js';

/** How a server is brought back, and what happens when it cannot be. */
interface KeeperOptions {
  /**
   * Makes one attempt to use the server again, and starts it if it does not run. Gives up when `signal`
   * aborts.
   */
  readonly reattach: (signal: AbortSignal) => Promise<Attachment>;
  readonly log: (message: string) => void;
  /** Called once, when no further attempt can succeed. */
  readonly onLost: (error: EmbeddedPostgresError) => void;
}

/**
 * Keeps a server in use by this process. Whenever the hold on it is lost, it makes attempts to take it again,
 * without a limit of time, until one succeeds, or none can, or it is stopped.
 */
export class ServerKeeper {
  private readonly stopping = new AbortController();
  private readonly outage: Outage;
  /** The attempts that are being made, or the last ones. Never rejects. */
  private attempts: Promise<void> = Promise.resolve();

  constructor(
    private attachment: Attachment,
    private readonly options: KeeperOptions,
  ) {
    this.outage = new Outage(options.log);
    this.watch();
  }

  /** Makes no more attempts, and waits for the one under way. Returns the last hold, which may be lost. */
  async stop(): Promise<ServerHold> {
    this.stopping.abort();
    await this.attempts;
    this.outage.stop();
    return this.attachment.hold;
  }

  private watch(): void {
    void this.attachment.hold.lost.then(() => {
      this.attempts = this.bringBack();
    });
  }

  private async bringBack(): Promise<void> {
    const { signal } = this.stopping;
    if (this.isStopping()) return;
    this.outage.begin();
    while (!this.isStopping()) {
      try {
        // A process that has nothing else to do need not wait for the server.
        await delay(this.outage.nextPause(), undefined, { signal, ref: false });
        this.attachment = await this.options.reattach(signal);
        this.outage.answered();
        this.watch();
        return;
      } catch (error) {
        if (this.isStopping()) return;
        if (error instanceof EmbeddedPostgresError && error.final) {
          this.options.onLost(error);
          return;
        }
        this.outage.failed(error);
      }
    }
  }

  /** A method, because the compiler does not see that the signal can change during an `await`. */
  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}

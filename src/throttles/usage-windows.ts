import { UsageWindow, type UsageKey } from './usage-window.js';

/** The current windows of clients and accounts. Those that have ended are dropped by `sweep`. */
export class UsageWindows {
  private readonly windows = new Map<string, UsageWindow>();

  /** Returns the window of a client or an account; undefined where it has none now. */
  find(subjectId: string, now: number): UsageWindow | undefined {
    const window = this.windows.get(subjectId);
    return window?.hasEnded(now) === false ? window : undefined;
  }

  /** Begins a window. */
  begin(key: UsageKey, limit: number, now: number): UsageWindow {
    const window = new UsageWindow(key, limit, now);
    this.windows.set(key.subjectId, window);
    return window;
  }

  /** Drops the windows that have ended. */
  sweep(now: number): void {
    for (const [subjectId, window] of this.windows) {
      if (window.hasEnded(now)) this.windows.delete(subjectId);
    }
  }

  /** How many windows are kept. */
  get size(): number {
    return this.windows.size;
  }
}

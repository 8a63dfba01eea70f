// Another account's client, in a thread of its own, so that the load does not delay its clock.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export class Victim {
  /**
   * @param request the bytes of its GET
   * @param interval milliseconds between an answer and the next request
   */
  constructor(port, request, interval = 0) {
    this.worker = new Worker(new URL('./victim-thread.mjs', import.meta.url), {
      workerData: { port, request, interval },
    });
  }

  /**
   * Asks for some time, at least once.
   * @param milliseconds Infinity for as long as nobody calls `stop`
   * @returns { p50, longest, failed, count }: milliseconds, and how many answers were not 200
   */
  async measure(milliseconds) {
    this.worker.postMessage({ milliseconds });
    const [result] = await once(this.worker, 'message');
    return result;
  }

  stop() {
    this.worker.postMessage({ stop: true });
  }

  async close() {
    await this.worker.terminate();
  }
}

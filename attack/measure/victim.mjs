// Another account's client, in a thread of its own, so that the load does not delay its clock.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export class Victim {
  /** @param request the bytes of its GET */
  constructor(port, request) {
    this.worker = new Worker(new URL('./victim-thread.mjs', import.meta.url), {
      workerData: { port, request },
    });
  }

  /** @returns the median and the longest of the milliseconds of its requests, and those that were not 200 */
  async measure(milliseconds) {
    this.worker.postMessage({ milliseconds });
    const [result] = await once(this.worker, 'message');
    return result;
  }

  async close() {
    await this.worker.terminate();
  }
}

// Sends one request after the other and measures how long each takes.
import { parentPort, workerData } from 'node:worker_threads';
import { median } from '../../bench/support/load.mjs';
import { Connections } from '../wire/connection.mjs';

const connections = new Connections(workerData.port);
const request = Buffer.from(workerData.request);

parentPort.on('message', async ({ milliseconds }) => {
  const end = performance.now() + milliseconds;
  const times = [];
  let failed = 0;
  while (performance.now() < end || times.length === 0) {
    const start = performance.now();
    const { status } = await connections.ask(request);
    times.push(performance.now() - start);
    if (status !== 200) failed++;
  }
  parentPort.postMessage({ p50: median(times), longest: Math.max(...times), failed, count: times.length });
});

// Sends one request after the other and measures how long each takes.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { median } from '../../bench/support/load.mjs';
import { Connections } from '../wire/connection.mjs';

const connections = new Connections(workerData.port);
const request = Buffer.from(workerData.request);
let end = 0;

parentPort.on('message', ({ milliseconds, stop }) => {
  if (stop) end = 0;
  else void measure(milliseconds);
});

async function measure(milliseconds) {
  end = performance.now() + milliseconds;
  const times = [];
  let failed = 0;
  while (performance.now() < end || times.length === 0) {
    const start = performance.now();
    const { status } = await connections.ask(request);
    times.push(performance.now() - start);
    if (status !== 200) failed++;
    if (workerData.interval > 0) await sleep(workerData.interval);
  }
  const longest = times.reduce((most, time) => Math.max(most, time), 0);
  parentPort.postMessage({ p50: median(times), longest, failed, count: times.length });
}

// npm run attack — see attack/README.md.
import { existsSync } from 'node:fs';
import { fuzz } from './fuzz/index.mjs';
import { hostileRequests } from './hostile/index.mjs';
import { linearity } from './linearity/index.mjs';
import { PlainGet } from './measure/plain-get.mjs';
import { ProcessMeter } from './measure/process-meter.mjs';
import { noisyNeighbour } from './neighbour/index.mjs';
import { readOptions } from './options.mjs';
import { prepare } from './service/prepare.mjs';
import { startService } from './service/start-service.mjs';

const options = readOptions();
if (!existsSync('/proc/self/schedstat')) {
  console.log('This system has no /proc, from which processor time is read. Nothing was attacked.');
  process.exit(0);
}
const service = await startService();
// The service is a process of its own, which would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void service.close().finally(() => process.exit(1)));
}
try {
  const context = { ...service, ...(await prepare(service, options.fatRecords)) };
  context.meter = new ProcessMeter(service.pid);
  context.plain = new PlainGet(context, context.meter);
  await context.plain.measure();
  const exceeding = [];
  const run = async (part, title, work) => {
    if (!options.parts.includes(part)) return;
    const start = performance.now();
    const result = await work();
    exceeding.push(...result.exceeding);
    console.log(`\n${title} (${((performance.now() - start) / 1_000).toFixed(0)} s)\n${result.text}`);
  };
  await run('hostile', 'Hostile requests', () => hostileRequests(context, options));
  await run('linearity', 'Growth', () => linearity(context, options));
  for (const seed of options.seeds) await run('fuzz', 'Random requests', () => fuzz(context, seed, options));
  await run('neighbour', 'A noisy neighbour', () => noisyNeighbour(context, options));
  if (service.ended.early) throw new Error('The process of the service ended');
  console.log(`\n${exceeding.length === 0 ? 'Nothing' : exceeding.length} exceeds a bound.`);
  process.exitCode = exceeding.length === 0 ? 0 : 1;
} finally {
  await service.close();
}

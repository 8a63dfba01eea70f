// npm run attack — see attack/README.md.
import { existsSync } from 'node:fs';
import { hostileRequests } from './hostile/index.mjs';
import { ProcessMeter } from './measure/process-meter.mjs';
import { readOptions } from './options.mjs';
import { startService } from './service/start-service.mjs';

if (!existsSync('/proc/self/schedstat')) {
  console.log('Processor time is read from /proc, which this system does not have. Nothing was attacked.');
  process.exit(0);
}
const options = readOptions();
const service = await startService();
try {
  const meter = new ProcessMeter(service.pid);
  const { text } = await hostileRequests(service, meter, options);
  console.log(text);
} finally {
  await service.close();
}

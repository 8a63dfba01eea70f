// The checker sees nothing in a sound database, and every corruption that is planted in a copy of it.
import { check } from '../checker/check.mjs';
import { plantCorruptions } from '../checker/self-test.mjs';
import { withClient } from '../database/connect.mjs';
import { Site } from '../run/site.mjs';

const REQUESTS = 500;

export const selfTest = {
  name: 'self-test',
  promise: 'checker',
  trials: { quick: 1, long: 1 },
  async run(context) {
    const { findings } = context;
    const site = await Site.external(context);
    const service = await site.start();
    site.drive();
    await site.progress(REQUESTS);
    await findings.checked(site);
    await service.kill();
    const { cluster, database, recorder, account } = site;
    const copy = await cluster.newDatabase(database);
    await withClient(cluster.connection(copy), async (client) => {
      for await (const { name, seen, violations } of plantCorruptions(recorder, client, account.routers)) {
        findings.trials += 1;
        const others = violations.map(({ text }) => text).join('; ');
        if (!seen) findings.fail(`The checker does not see ${name}; it sees: ${others || 'nothing'}`);
      }
      for (const { text } of await check(recorder, client)) findings.fail(`Without a corruption: ${text}`);
    });
  },
};

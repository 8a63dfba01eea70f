import type { INestApplicationContext } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/index.js';
import {
  ApiClientsService,
  ApplyService,
  MemberAccessService,
  parseConfigurationFile,
  type ClientCredentials,
} from '../../management/index.js';
import { ConsoleSite } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { RoutersRepository } from '../../routers/index.js';
import { demoConfiguration, DEMO_SLUG } from './configuration.js';
import { livePastWeek } from './past-week.js';

/** The data with which a new user can try the service. */
export interface Demo extends ClientCredentials {
  readonly routerId: string;
  /** By which the user enters the console, once; undefined where it is off. */
  readonly consoleLink: string | undefined;
}

/** The member of the console for whom the demo has a link. */
const DEMO_MEMBER = { email: 'ada@demo.test', role: 'admin' } as const;

/** Creates the demo account with an API client. @returns undefined when the demo exists already */
export async function createDemo(app: INestApplicationContext): Promise<Demo | undefined> {
  const database = app.get(Database);
  const accounts = app.get(AccountsRepository, { strict: false });
  const present = await database.read((db) => accounts.findBySlug(db, DEMO_SLUG));
  const clients = app.get(ApiClientsService, { strict: false });
  // An account without a client exists when an earlier creation was interrupted.
  if (present !== null && (await clients.list({ accountId: present.id })).length > 0) return undefined;
  const now = new Date();
  await app
    .get(ApplyService, { strict: false })
    .apply(parseConfigurationFile(demoConfiguration(now)), { dryRun: false });
  const entity = await database.read((db) => accounts.findBySlug(db, DEMO_SLUG));
  if (entity === null) throw new Error('The demo account was not created');
  const account = { accountId: entity.id };
  // Together, so that a demo with a client has its week. A slow machine needs seconds for it.
  const credentials = await database.for(account).transaction(
    (tx) =>
      tx.asPart(async () => {
        await livePastWeek(app, { ...account, transaction: tx }, now);
        return clients.create({ ...account, transaction: tx }, 'Demo');
      }),
    { long: true },
  );
  const site = app.get(ConsoleSite, { strict: false });
  const links = app.get(MemberAccessService, { strict: false });
  const link = site.isOn
    ? await links.invite({ ...account, command: 'console link' }, DEMO_MEMBER)
    : undefined;
  const routers = app.get(RoutersRepository, { strict: false });
  const [router] = await database.read((db) => routers.listActive(db, account));
  return { ...credentials, routerId: router?.id ?? '', consoleLink: link?.url };
}

/**
 * Returns the text that is printed about the demo: its credentials, and three shell commands to run in order.
 * @param address of this server, such as http://localhost:3000
 */
export function describeDemo(demo: Demo, address: string): string {
  return [
    '',
    `The demo account is ready (printed once; the secret is not stored):`,
    '',
    ...demoCredentials(demo).map((line) => `  ${line}`),
    '',
    demoCommands(demo, address),
  ].join('\n');
}

/** The credentials of the demo, a line each. */
export function demoCredentials({ clientId, clientSecret }: Demo): string[] {
  return [`client_id:     ${clientId}`, `client_secret: ${clientSecret}`];
}

/** How to enter the console, and three shell commands to run in order, as often as one likes. */
export function demoCommands(
  { clientId, clientSecret, routerId, consoleLink }: Demo,
  address: string,
): string {
  const json = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  // An e-mail is unique: with the time in it, the lines can be pasted again.
  const contact = `{"fields":{"first_name":"Katherine","email":"katherine+'$(date +%s)'@example.com"}}`;
  const take = (key: string): string => `sed 's/.*"${key}":"\\([^"]*\\)".*/\\1/'`;
  const console =
    consoleLink === undefined ? [] : ['Enter the console, once, within 15 minutes:', '', consoleLink, ''];
  return [
    ...console,
    'Get a token, create a contact, and let the router choose its owner:',
    '',
    `TOKEN=$(curl -s ${address}/oauth2/token -d client_id=${clientId} -d client_secret=${clientSecret} | ${take('access_token')})`,
    `CONTACT=$(curl -s ${address}/contacts ${json} -d '${contact}' | tee /dev/stderr | sed 's/^{"id":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -w '\\n' ${address}/dispatch/router ${json} -d '{"router_id":"${routerId}","object_id":"'"$CONTACT"'"}'`,
    '',
  ].join('\n');
}

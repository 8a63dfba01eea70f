// A decision of the built service on a configuration of its own: the same each time it is made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectSuccess, newFolder, printed, run, stop } from './programs.mjs';
import { ask } from './tour.mjs';

const dist = fileURLToPath(new URL('../../dist/src', import.meta.url));

/** A Tuesday before Christmas, 15:00 in London. */
const AT = '2026-12-22T15:00:00.000Z';

const USERS = ['ada', 'grace', 'alan', 'mary', 'katherine'].map((name) => `${name}@acme.test`);
const [ALAN, MARY, KATHERINE] = USERS.slice(2);

const condition = (field, operator, value) => ({ groups: [{ conditions: [{ field, operator, value }] }] });

/** A configuration file of the account with this. */
const file = (changes) => ({
  accounts: [
    {
      slug: 'acme',
      fields: [{ object_type: 'contacts', internal_name: 'employees', type: 'number' }],
      ...changes,
    },
  ],
});

const BEFORE = file({
  users: USERS.map((email) => ({ email })),
  routers: [
    {
      name: 'Inbound',
      object_type: 'contacts',
      published: true,
      settings: {
        distribution_model: 'percentage',
        trigger: condition('country', 'in', ['GB', 'IE', 'US']),
        rules: [
          { name: 'Partners', trigger: condition('lead_source', 'eq', 'partner') },
          { name: 'Enterprise', trigger: condition('employees', 'gte', 500) },
        ],
      },
      users: [30, 30, 20, 10, 10].map((percentage, index) => ({ email: USERS[index], percentage })),
    },
  ],
});

/** Who is away, works elsewhere, and has enough to do. */
const AFTER = file({
  users: [
    { email: ALAN, out_of_office: [{ from: '2026-12-21T00:00:00Z', to: '2026-12-28T00:00:00Z' }] },
    {
      email: MARY,
      timezone: 'America/Los_Angeles',
      working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' }],
    },
  ],
  capacities: [
    {
      name: 'Open leads',
      object_type: 'contacts',
      field: 'lifecycle_stage',
      values: ['lead'],
      users: [{ email: KATHERINE, max: 1 }],
    },
  ],
});

const ASKED = {
  first_name: 'Dorothy',
  last_name: 'Vaughan',
  country: 'GB',
  lead_source: 'event',
  lifecycle_stage: 'lead',
  employees: 1200,
};

/** @returns what was asked, and what `POST /dispatch/simulate` has answered */
export async function makeDecision() {
  const cwd = newFolder('decision');
  const env = { PORT: '0', DRAIN_SECONDS: '0', DEMO: 'false' };
  const command = (...args) => expectSuccess(process.execPath, [join(dist, 'cli.js'), ...args], { cwd, env });
  const apply = async (configuration) => {
    writeFileSync(join(cwd, 'acme.yaml'), JSON.stringify(configuration));
    await command('apply', 'acme.yaml');
  };
  const server = run(process.execPath, [join(dist, 'main.js')], { cwd, env });
  const [, address] = await printed(server, /"address":"(http:\/\/[^"/]+)"[^\n]*"listening"/);
  await apply(BEFORE);
  const created = await command('client', 'create', '--account', 'acme', '--name', 'Docs', '--json');
  const { client_id, client_secret } = JSON.parse(created);
  const { access_token: token } = await ask(address, 200, {
    method: 'POST',
    path: '/oauth2/token',
    body: { client_id, client_secret },
  });
  const post = (path, body, status = 200) => ask(address, status, { method: 'POST', path, body, token });
  const { data } = await ask(address, 200, { path: '/routers', token });
  const router_id = data[0].id;
  const lead = { first_name: 'Lead', lifecycle_stage: 'lead', contact_owner: KATHERINE };
  await post('/contacts', { fields: lead }, 201);
  // Turns that were had before: they are why one is owed more than another.
  for (let turn = 0; turn < 4; turn++) {
    const contact = await post(
      '/contacts',
      { fields: { first_name: 'Earlier', country: 'US', employees: 700 } },
      201,
    );
    await post('/dispatch/router', { router_id, object_id: contact.id });
  }
  await apply(AFTER);
  const asked = { fields: ASKED, at: AT };
  const answer = await post('/dispatch/simulate', { router_id, ...asked });
  await stop(server);
  return { asked, answer };
}

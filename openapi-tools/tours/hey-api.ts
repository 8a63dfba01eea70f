import {
  archiveContact,
  createContact,
  dispatchRouter,
  issueToken,
  listContacts,
  listRouters,
  readAssignment,
  simulateDispatch,
  updateContact,
  type Contact,
} from '../generated/hey-api';
import { client } from '../generated/hey-api/client.gen';
import { BASE_URL, CREDENTIALS, expect } from './expect';

/** What a test of a caller would have in the place of an answer. */
const mock: Contact = {
  id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  first_name: 'Ada',
  last_name: null,
  email: null,
  contact_owner: null,
  external_id: null,
  created_at: '2026-06-10T21:05:06.789Z',
  updated_at: '2026-06-10T21:05:06.789Z',
  archived: false,
  region: 'emea',
};

client.setConfig({ baseUrl: BASE_URL });
const token = await issueToken({ body: CREDENTIALS });
expect(token.data !== undefined, 'a token is issued');
const { access_token } = token.data;
client.setConfig({ auth: () => access_token });

const email = 'hey-api@example.com';
const created = await createContact({ body: { fields: { first_name: mock.first_name, email } } });
expect(created.data?.email === email, 'a contact is created');
const path = { contactId: created.data.id };
const changed = await updateContact({ path, body: { fields: { last_name: 'Lovelace' } } });
expect(changed.data?.last_name === 'Lovelace', 'it is changed');
const again = await createContact({ body: { fields: { email } } });
expect(again.error?.code === 'duplicate', 'a duplicate is refused');
// The demo account has 140 contacts, and a list begins with the oldest.
const listed = await listContacts({ query: { limit: 100, offset: 100 } });
expect(listed.data?.data.some(({ id }) => id === path.contactId) === true, 'it is listed');

const router = (await listRouters()).data?.data[0];
expect(router !== undefined, 'there is a router');
const body = { router_id: router.id, object_id: path.contactId };
const simulated = await simulateDispatch({ body });
expect(simulated.data?.success === true, 'a dispatch would assign');
const dispatched = await dispatchRouter({ body });
expect(dispatched.data?.success === true, 'a dispatch assigns');
expect(dispatched.data.user === simulated.data.user, 'it is the user of the simulation');
const { data: assignment } = await readAssignment({
  path: { assignmentId: dispatched.data.assignment_id },
});
const turn = assignment?.trace?.find((step) => step.step === 'distribution');
expect(turn?.chosen === dispatched.data.user, 'the log says why');

const archived = await archiveContact({ path });
expect(typeof archived.data?.archived === 'string', 'it is archived');

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
} from '../generated/orval/client';
import { CREDENTIALS, expect } from './expect';
import { authorize } from './orval-request';

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

const token = await issueToken(CREDENTIALS);
expect(token.status === 200, 'a token is issued');
authorize(token.data.access_token);

const email = 'orval@example.com';
const created = await createContact({ fields: { first_name: mock.first_name, email } });
expect(created.status === 201 && created.data.email === email, 'a contact is created');
const { id } = created.data;
const changed = await updateContact(id, { fields: { last_name: 'Lovelace' } });
expect(changed.status === 200 && changed.data.last_name === 'Lovelace', 'it is changed');
const again = await createContact({ fields: { email } });
expect(again.status === 409 && again.data.code === 'duplicate', 'a duplicate is refused');
// The demo account has 140 contacts, and a list begins with the oldest.
const listed = await listContacts({ limit: 100, offset: 100 });
expect(listed.status === 200 && listed.data.data.some((each) => each.id === id), 'it is listed');

const routers = await listRouters();
expect(routers.status === 200, 'the routers are listed');
const [router] = routers.data.data;
expect(router !== undefined, 'there is a router');
const request = { router_id: router.id, object_id: id };
const simulated = await simulateDispatch(request);
expect(simulated.status === 200 && simulated.data.success, 'a dispatch would assign');
const dispatched = await dispatchRouter(request);
expect(dispatched.status === 200 && dispatched.data.success, 'a dispatch assigns');
const { user, assignment_id } = dispatched.data;
expect(user === simulated.data.user, 'it is the user of the simulation');
const assignment = await readAssignment(assignment_id);
expect(assignment.status === 200, 'the log has it');
const turn = assignment.data.trace?.find((step) => step.step === 'distribution');
expect(turn?.chosen === user, 'the log says why');

const archived = await archiveContact(id);
expect(archived.status === 200 && typeof archived.data.archived === 'string', 'it is archived');

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer, Client } from './testing/client.js';
import { Service, type Credentials } from './testing/service.js';

const NOWHERE = '01890000-0000-7000-8000-000000000000';

const router = {
  name: 'Inbound',
  object_type: 'contacts',
  published: true,
  settings: {},
  users: [{ email: 'ada@acme.test' }],
};

describe('the package fairlead-notes', () => {
  let service: Service;
  let credentials: Credentials;
  let acme: Client;
  let reader: Client;
  let other: Client;

  before(async () => {
    service = await Service.create();
    const printed = await service.command('migrate');
    assert.match(printed, /^applied CreateSchema\d+$/m);
    assert.match(printed, /^applied CreateNotes1764200000000$/m);
    await service.start([
      { slug: 'acme', users: [{ email: 'ada@acme.test' }], routers: [router] },
      { slug: 'other' },
    ]);
    credentials = await service.createClient('acme');
    acme = await service.login(credentials);
    reader = await service.login(credentials, 'records:read');
    other = await service.login(await service.createClient('other'));
  });
  after(() => service.stop());

  async function createContact(client = acme): Promise<string> {
    const { body } = await client.post('/contacts', { fields: { first_name: 'Grace' } });
    return body.id as string;
  }

  const write = (contact: string, text = 'Call back'): Promise<Answer> =>
    acme.post(`/contacts/${contact}/notes`, { text });

  async function textsOf(contact: string): Promise<string[]> {
    const { body } = await acme.get(`/contacts/${contact}/notes`);
    return body.data.map(({ text }: { text: string }) => text);
  }

  it('writes, lists and closes the notes of a contact', async () => {
    const contact = await createContact();
    const first = await write(contact, 'Prefers e-mail');
    assert.equal(first.status, 201);
    const { id, created_at } = first.body;
    assert.deepEqual(first.body, {
      id,
      contact_id: contact,
      text: 'Prefers e-mail',
      author: credentials.client_id,
      created_at,
      closed_at: null,
    });
    const second = await write(contact);

    const page = await acme.get(`/contacts/${contact}/notes?limit=1&offset=1`);
    assert.deepEqual(page, {
      status: 200,
      body: { data: [second.body], pagination: { limit: 1, offset: 1, count: 2 } },
    });

    const closed = await acme.delete(`/contacts/${contact}/notes/${id}`);
    assert.equal(closed.status, 200);
    assert.ok(Date.parse(closed.body.closed_at) >= Date.parse(created_at));
    assert.deepEqual(await acme.delete(`/contacts/${contact}/notes/${id}`), closed);
    assert.deepEqual(await textsOf(contact), ['Prefers e-mail', 'Call back']);
  });

  it('refuses what it does not know', async () => {
    const contact = await createContact();
    const notes = `/contacts/${contact}/notes`;
    const refusals: [Promise<Answer>, status: number, message: string][] = [
      [acme.post(notes, {}), 400, 'text must be a text of 1 to 2000 characters'],
      [acme.post(notes, { text: 'a\0b' }), 400, 'text must be a text of 1 to 2000 characters'],
      [acme.post(notes, { text: 'x', colour: 'red' }), 400, 'Unknown key: colour (allowed: text)'],
      [acme.get(`${notes}?page=2`), 400, 'Unknown query parameter: page (allowed: limit, offset)'],
      [reader.post(notes, { text: 'x' }), 403, 'This token lacks the scope records:write'],
      [acme.get(`/contacts/${NOWHERE}/notes`), 404, 'Contact not found'],
      [acme.post('/contacts/x/notes', { text: 'x' }), 404, 'Contact not found'],
      [acme.delete(`${notes}/${NOWHERE}`), 404, 'Note not found'],
    ];
    for (const [answer, status, message] of refusals) {
      const { body, ...rest } = await answer;
      assert.deepEqual({ ...rest, message: body.message }, { status, message });
    }
    assert.equal((await reader.get(notes)).status, 200);
  });

  it('shows an account nothing of another', async () => {
    const contact = await createContact();
    const { body: note } = await write(contact);
    for (const answer of [
      await other.get(`/contacts/${contact}/notes`),
      await other.post(`/contacts/${contact}/notes`, { text: 'x' }),
      await other.delete(`/contacts/${contact}/notes/${note.id}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.message], [404, 'Contact not found']);
    }
    const own = await createContact(other);
    const foreign = await other.delete(`/contacts/${own}/notes/${note.id}`);
    assert.deepEqual([foreign.status, foreign.body.message], [404, 'Note not found']);
    assert.deepEqual(await acme.get(`/contacts/${contact}/notes`), {
      status: 200,
      body: { data: [note], pagination: { limit: 10, offset: 0, count: 1 } },
    });
  });

  it('archives no contact that has open notes', async () => {
    const contact = await createContact();
    const before = await acme.get(`/contacts/${contact}`);
    const { body: note } = await write(contact);
    const refused = await acme.delete(`/contacts/${contact}`);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [409, 'This contact has open notes: close them before it is archived'],
    );
    assert.deepEqual(await acme.get(`/contacts/${contact}`), before);

    await acme.delete(`/contacts/${contact}/notes/${note.id}`);
    assert.equal((await acme.delete(`/contacts/${contact}`)).status, 200);
    assert.equal((await write(contact)).status, 409);
    assert.deepEqual(await textsOf(contact), ['Call back']);
  });

  it('never leaves an open note on an archived contact', async () => {
    for (let round = 0; round < 20; round++) {
      const contact = await createContact();
      const [archived, written] = await Promise.all([acme.delete(`/contacts/${contact}`), write(contact)]);
      const statuses = [archived.status, written.status].join(' ');
      assert.ok(['200 409', '409 201'].includes(statuses), statuses);
      assert.deepEqual(await textsOf(contact), written.status === 201 ? ['Call back'] : []);
    }
  });

  it('notes each assignment, and only what was assigned', async () => {
    const contact = await createContact();
    const { body: routers } = await acme.get('/routers');
    const dispatch = () =>
      acme.post('/dispatch/router', { router_id: routers.data[0].id, object_id: contact });
    assert.equal((await dispatch()).body.success, true);
    const text = 'Assigned to ada@acme.test by the router Inbound because of round_robin';
    assert.deepEqual(await textsOf(contact), [text]);

    assert.equal((await dispatch()).body.success, false);
    assert.deepEqual(await textsOf(contact), [text]);
    assert.equal((await acme.delete(`/contacts/${contact}`)).status, 200);
  });
});

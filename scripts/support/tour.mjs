// A client that makes the tour of the README.
import { printed } from './programs.mjs';

/** Sends a request. @throws unless it is answered with that status */
async function ask(address, expected, { path, method = 'GET', token, body }) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...authorization },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Waits for a server with the demo account. @returns its address and the credentials of the demo */
export async function demoServer(server) {
  const [, address] = await printed(server, /"address":"(http:\/\/[^"/]+)"[^\n]*"listening"/);
  const [, client_id] = await printed(server, /client_id: +(\S+)/);
  const [, client_secret] = await printed(server, /client_secret: +(\S+)/);
  return { address, credentials: { client_id, client_secret } };
}

/** A token, a contact, its dispatch and the reasons for it. @throws where one is not as it should be */
export async function makeTour({ address, credentials }) {
  const post = (path, body, status = 200, token = undefined) =>
    ask(address, status, { method: 'POST', path, body, token });
  await ask(address, 200, { path: '/health/ready' });
  const { access_token: token } = await post('/oauth2/token', credentials);
  const fields = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
  const contact = await post('/contacts', { fields }, 201, token);
  const company = { company_name: 'Books', website_url: 'https://www.BÜCHER.example/x' };
  const { website_url } = await post('/companies?properties=website_url', { fields: company }, 201, token);
  if (website_url !== 'xn--bcher-kva.example') throw new Error(`The host is ${website_url}`);
  const byEmail = '/contacts/ada@example.com?id_property=email';
  const found = await ask(address, 200, { path: byEmail, token });
  if (found.id !== contact.id) throw new Error('The e-mail is that of another contact');
  const { data: routers } = await ask(address, 200, { path: '/routers', token });
  const dispatch = { router_id: routers[0].id, object_id: contact.id };
  const result = await post('/dispatch/router', dispatch, 200, token);
  if (result.success !== true) throw new Error(JSON.stringify(result));
  const run = await ask(address, 200, { path: `/assignments/${result.assignment_id}`, token });
  if (run.trace.length === 0) throw new Error('The assignment has no trace');
  await post('/contacts', { fields }, 409, token);
  await ask(address, 200, { path: '/openapi.json' });
}

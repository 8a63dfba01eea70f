import type { ApiClient } from './api-client.js';
import { mail, type RoutingAccount } from './routing-account.js';

/** Returns a client that manages the account. */
export const adminOf = ({ service, slug }: RoutingAccount): Promise<ApiClient> =>
  service.login(slug, ['manage', 'routers:read']);

/** Returns the id of an active user of the account. @param name as `mail` takes it */
export async function userId(admin: ApiClient, name: string): Promise<string> {
  const { body } = await admin.get('/users?limit=100');
  const found = body.data.find(({ email }: { email: string }) => email === mail(name));
  if (found === undefined) throw new Error(`There is no user ${name}`);
  return found.id;
}

/** Changes the e-mail of a user. Both names are as `mail` takes them. */
export async function renameUser(
  account: RoutingAccount,
  { from, to }: Readonly<Record<'from' | 'to', string>>,
): Promise<void> {
  const admin = await adminOf(account);
  const { status, body } = await admin.patch(`/users/${await userId(admin, from)}`, { email: mail(to) });
  if (status !== 200 || body.email !== mail(to)) throw new Error(`${status} ${JSON.stringify(body)}`);
}

import { people, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

interface UserRow {
  readonly email: string;
  readonly name: string | null;
  readonly id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

let service: TestService;
beforeAll(async () => (service = await TestService.shared()));
afterAll(() => service.stop());

it('Users that a file changes are changed together, and keep what the file does not name [contract 5]', async () => {
  const names = Array.from({ length: 1_001 }, (_, n) => `user${n}`);
  const account = await RoutingAccount.open(service, { users: people(names, { name: 'Before' }) });
  const other = await RoutingAccount.open(service, { users: people(names, { name: 'Other' }) });
  const stored = async ({ slug }: RoutingAccount): Promise<UserRow[]> =>
    sql<UserRow>(
      service,
      `SELECT u.* FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.slug = $1 ORDER BY email`,
      [slug],
    );
  const [before, others] = [await stored(account), await stored(other)];
  const changed = names.slice(1);
  await account.apply({ users: people(changed, { timezone: 'Europe/Oslo' }) });
  const after = await stored(account);

  const expected = before.map((user) =>
    user.email.startsWith('user0@') ? user : { ...user, timezone: 'Europe/Oslo', changed_in: '2' },
  );
  const timeless = (users: readonly object[]): object[] =>
    users.map((user) => ({ ...user, updated_at: undefined }));
  expect(timeless(after)).toEqual(timeless(expected));
  const later = after.filter(({ updated_at }, index) => updated_at > before[index]!.updated_at);
  expect(later).toHaveLength(changed.length);
  expect(await stored(other)).toEqual(others);
});

// A service of its own: it forgets old entries of the audit.
import { AuditService } from '../../../src/management/audit/audit.service.js';
import { firstIdAt } from '../../../src/database/index.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { waitFor } from '../../support/wait-for.js';

const DAY = 86_400_000;

let service: TestService;
let keeps: TestService;

beforeAll(async () => {
  service = await TestService.start({ env: { AUDIT_RETENTION_DAYS: '30' } });
  keeps = await TestService.start({ database: service.database });
});
afterAll(async () => {
  await keeps.stop();
  await service.stop();
});

const sweepOf = (of: TestService): AuditService => of.app.get(AuditService, { strict: false });

/** Adds entries of an account that are so many days old. */
async function addOld(slug: string, count: number, days: number): Promise<void> {
  const { accountId } = await service.account(slug);
  const first = firstIdAt(new Date(Date.now() - days * DAY)).slice(0, 24);
  await sql(
    service,
    `INSERT INTO audit_entries (account_id, id, at, by_kind, by_name, action, object_kind, object_id, object_name, changes)
      SELECT $1, ($2 || lpad(n::text, 12, '0'))::uuid, now() - $4 * interval '1 day', 'command', 'old', 'update', 'account', $1, 'x', '[]'
      FROM generate_series(1, $3::int) AS n`,
    [accountId, first, count, days],
  );
}

/** How many entries `GET /audit` has of the command that made the old ones, and of the others. */
async function shown(slug: string): Promise<[number, number]> {
  const admin = await service.login(slug, ['manage']);
  const old = await admin.get('/audit?by=old&limit=100');
  const others = await admin.get('/audit?by=apply&limit=100');
  return [old.body.data.length, others.body.data.length];
}

describe('AUDIT_RETENTION_DAYS', () => {
  it('deletes older entries of every account, and keeps the others [contract 5, contract 6]', async () => {
    for (const slug of ['acme', 'beta'])
      await service.apply(`accounts: [{ slug: ${slug}, teams: [{ name: A }] }]`);
    await addOld('acme', 3, 31);
    await addOld('acme', 2, 29);
    await addOld('beta', 1, 400);
    expect([await shown('acme'), await shown('beta')]).toEqual([
      [5, 2],
      [1, 2],
    ]);
    expect(await sweepOf(service).sweep(new Date())).toBe(4);
    expect([await shown('acme'), await shown('beta')]).toEqual([
      [2, 2],
      [0, 2],
    ]);
    expect(await sweepOf(service).sweep(new Date())).toBe(0);
    expect(await sweepOf(service).sweep(new Date(Date.now() + 2 * DAY))).toBe(2);
    expect(await shown('acme')).toEqual([0, 2]);
  });

  it('deletes more than one statement does at once, and is of several processes [contract 5]', async () => {
    await service.apply('accounts: [{ slug: globex }]');
    await addOld('globex', 2_500, 31);
    const other = await TestService.start({
      database: service.database,
      env: { AUDIT_RETENTION_DAYS: '30' },
    });
    const swept = await Promise.all([service, other].map((each) => sweepOf(each).sweep(new Date())));
    await other.stop();
    // The start of the other one has swept, too.
    expect(swept[0]! + swept[1]!).toBeLessThanOrEqual(2_500);
    expect(await shown('globex')).toEqual([0, 1]);
  });

  it('is looked at when the service starts [contract 5]', async () => {
    await service.apply('accounts: [{ slug: initech }]');
    await addOld('initech', 1, 31);
    const other = await TestService.start({
      database: service.database,
      env: { AUDIT_RETENTION_DAYS: '30' },
    });
    await waitFor('the old entry to be deleted', async () => (await shown('initech'))[0] === 0);
    await other.stop();
  });

  it('is unset by default: nothing is deleted [contract 5]', async () => {
    await service.apply('accounts: [{ slug: umbrella }]');
    await addOld('umbrella', 1, 4_000);
    expect(await sweepOf(keeps).sweep(new Date(Date.now() + 1e4 * DAY))).toBe(0);
    expect(await shown('umbrella')).toEqual([1, 1]);
  });

  it('leaves every other deletion and change refused [contract 6]', async () => {
    await sweepOf(service).sweep(new Date());
    const refusal = /never changed or deleted/;
    await expect(sql(service, 'DELETE FROM audit_entries')).rejects.toThrow(refusal);
    const sweeping = `SELECT set_config('fairlead.sweeps_audit', 'on', true)`;
    for (const statement of [`UPDATE audit_entries SET by_name = 'nobody'`, 'TRUNCATE audit_entries']) {
      await expect(
        sql(service, `DO $$ BEGIN PERFORM ${sweeping.slice(7)}; ${statement}; END $$`),
      ).rejects.toThrow(refusal);
    }
  });
});

import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError } from '../errors.js';
import { Deadline } from './deadline.js';
import { Distribution } from './distribution.js';
import { Transaction } from './transaction.js';

/** What PostgreSQL answers: an error by its code, or a command. */
type Answer = { readonly code: string } | { readonly command: string };

const OK = { command: 'OK' };
const WRITE = { name: 'write', text: 'INSERT' };
const STEPPED = {
  ...WRITE,
  cluster: { steps: [{ name: 'require', text: 'SELECT' }, WRITE], isRefusable: true },
};

/**
 * A transaction on a cluster, of which each answer comes a while after the one before it.
 * @param answers by the first word of a statement, in their order
 */
async function transactionWith(answers: Readonly<Record<string, Answer[]>>): Promise<Transaction> {
  let last: Promise<unknown> = Promise.resolve();
  const client = {
    connection: { stream: { cork: () => undefined, uncork: () => undefined } },
    query: ({ text }: { readonly text: string }) => {
      const answer = answers[text.split(' ')[0] ?? '']?.shift() ?? OK;
      const given = last.then(async () => {
        await new Promise(setImmediate);
        if ('code' in answer) throw Object.assign(new Error(answer.code), answer);
        return { rows: [], ...answer };
      });
      last = given.catch(() => undefined);
      return given;
    },
  } as unknown as PoolClient;
  const distribution = new Distribution();
  await distribution.learn({ query: () => Promise.resolve([{ yes: true }]) });
  const place = {
    dataSource: {} as DataSource,
    distribution,
    client,
    deadline: new Deadline(5_000),
    answer: 5_000,
  };
  return new Transaction(place, {});
}

describe('a transaction on a cluster', () => {
  it('knows the error of a statement behind a refused write, whose second step fails later [contract 13]', async () => {
    const tx = await transactionWith({
      SELECT: [{ code: '22012' }],
      INSERT: [{ code: '25P02' }, { code: '23505' }],
    });
    expect(await tx.query(STEPPED, [])).toEqual([]);
    await expect(tx.query(WRITE, [])).rejects.toMatchObject({ code: '23505' });
  });

  it('is lost with the session of another node in a part of it: it runs again [contract 13]', async () => {
    const tx = await transactionWith({ RELEASE: [{ code: '57P01' }], ROLLBACK: [{ code: '3B001' }] });
    await expect(tx.savepoint(() => tx.query(WRITE, []))).rejects.toMatchObject({ code: '57P01' });
  });

  it('has not happened where the node answers COMMIT with ROLLBACK [contract 13]', async () => {
    const tx = await transactionWith({ INSERT: [{ code: '57P01' }], COMMIT: [{ command: 'ROLLBACK' }] });
    await expect(tx.queryLast(WRITE, [])).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});

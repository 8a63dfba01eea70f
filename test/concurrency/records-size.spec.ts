// A service of its own: it has another limit of records.
import type { ApiClient } from '../support/api-client.js';
import { expectInvalid } from '../support/error-object.js';
import { createTrigger } from '../support/database/created-trigger.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const LIMIT = 1024;
const ROUNDS = storm(15, 4);
const NAMES = Array.from({ length: 20 }, (_, index) => `f_${index + 10}`);

let service: TestService;
let api: ApiClient;
let path: string;

const size = async (): Promise<number> => {
  const [row] = await sql<{ size: number }>(
    service,
    `SELECT octet_length((fields - 'notes')::text) AS size FROM records WHERE id = $1`,
    [path.slice('/deals/'.length)],
  );
  return row!.size;
};

beforeAll(async () => {
  service = await TestService.start({ obedient: true, recordLimit: '1kb' });
  const fields = NAMES.map((name) => `{ object_type: deals, internal_name: ${name}, type: string }`);
  const notes = '{ object_type: deals, internal_name: notes, type: string, long: true }';
  await service.apply(`accounts: [{ slug: acme, fields: [${[...fields, notes].join(', ')}] }]`);
  api = await service.login('acme');
  // Fails every write of a version that is too large, also one that the next write replaces at once.
  await createTrigger(service, 'refuse_large', {
    body: `IF octet_length((NEW.fields - 'notes')::text) > ${LIMIT} THEN RAISE EXCEPTION 'too large'; END IF`,
    when: 'TRIGGER refuse_large BEFORE INSERT OR UPDATE ON records FOR EACH ROW',
  });
});
afterAll(() => service.stop());

beforeEach(async () => {
  const fields = { deal_name: 'Deal', deal_stage: 'new', pipeline: 'default' };
  path = `/deals/${(await api.post('/deals', { fields })).body.id}`;
});

describe('PATCHes of one record at the same time', () => {
  it('fill it as far as the limit allows, and no further [2.6, 4.4, contract 3]', async () => {
    const empty = await size();
    const value = 'x'.repeat(200);
    const answers = await Promise.all(NAMES.map((name) => api.patch(path, { fields: { [name]: value } })));
    const each = `, "${NAMES[0]!}": "${value}"`.length;
    const fitting = Math.floor((LIMIT - empty) / each);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(fitting);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      const message = `${NAMES[index]!} would make the fields of this record larger than 1024 bytes together`;
      expectInvalid(answer, [NAMES[index]!, message]);
    }
    expect(await size()).toBe(empty + fitting * each);
  });

  it('of which some grow it and some shrink it never exceed the limit [2.6, 4.4, contract 3]', async () => {
    let [taken, refused] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        NAMES.map((name, index) => {
          const length = ((index * 7919 + round * 104_729) % 11) * 40;
          const fields = { [name]: length === 0 ? null : 'é'.repeat(length / 2), notes: 'x'.repeat(length * 5) };
          return api.patch(path, { fields });
        }),
      ); // prettier-ignore
      for (const { status } of answers) expect([200, 400]).toContain(status);
      taken += answers.filter(({ status }) => status === 200).length;
      refused += answers.filter(({ status }) => status === 400).length;
      expect(await size()).toBeLessThanOrEqual(LIMIT);
    }
    expect(taken).toBeGreaterThan(ROUNDS);
    expect(refused).toBeGreaterThan(ROUNDS);
  });
});

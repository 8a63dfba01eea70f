// A service of its own: it has a hook, and its calls are counted.
import { RecordHooks, type RecordWrite } from '../../src/records/index.js';
import { RecordValidator } from '../../src/records/record-validator.js';
import { RecordsRepository } from '../../src/records/records.repository.js';
import type { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

/** Inputs of a batch: more than one group has. */
const INPUTS = 200;

let service: TestService;
let api: ApiClient;
let isWatched: ((write: Pick<RecordWrite, 'action'>) => boolean) | undefined;
let concerned: number;
let asked: number;
let validated: jest.SpyInstance;
let found: jest.SpyInstance;

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
  validated = jest.spyOn(service.app.get(RecordValidator, { strict: false }), 'validate');
  found = jest.spyOn(service.app.get(RecordsRepository, { strict: false }), 'findIds');
  service.app.get(RecordHooks, { strict: false }).register({
    onWrite: () => {
      asked++;
      return {};
    },
    concerns: (write) => {
      concerned++;
      return isWatched?.(write) === true;
    },
  });
});
beforeEach(() => {
  [concerned, asked] = [0, 0];
  isWatched = undefined;
  jest.clearAllMocks();
});
afterAll(() => service.stop());

const upsert = async (fields: (n: number) => Json): Promise<number[]> => {
  const inputs = Array.from({ length: INPUTS }, (_, n) => fields(n)).map((each) => ({
    id: each['email'],
    fields: each,
  }));
  const { body } = await api.post('/contacts/batch/upsert', { inputs, id_property: 'email' });
  return body.results.map(({ status }: Json) => status);
};

/** Each input is planned as an update and as a create, and once more where it is done alone. */
function expectLinear(): void {
  expect(validated.mock.calls.length).toBeLessThanOrEqual(4 * INPUTS);
  expect(concerned).toBeLessThanOrEqual(3 * INPUTS);
  expect(asked).toBeLessThanOrEqual(INPUTS);
  expect(found.mock.calls.length).toBeLessThanOrEqual(INPUTS);
}

describe('What a batch costs grows with its inputs alone', () => {
  it('where a hook takes part in each of its creates [contract 7]', async () => {
    isWatched = ({ action }) => action === 'create';
    expect(new Set(await upsert((n) => ({ email: `hooked-${n}@x.example`, city: 'x' })))).toEqual(
      new Set([201]),
    );
    expectLinear();
  });

  it('where a hook takes part in each of its updates [contract 7]', async () => {
    isWatched = ({ action }) => action === 'update';
    expect(new Set(await upsert((n) => ({ email: `hooked-${n}@x.example`, city: 'y' })))).toEqual(
      new Set([200]),
    );
    expectLinear();
  });

  it('where all its inputs want the same key [contract 7]', async () => {
    const statuses = await upsert((n) => ({ email: `same-${n}@x.example`, external_id: 'same' }));
    expect(statuses.slice(0, 3)).toEqual([201, 409, 409]);
    expect(new Set(statuses.slice(1))).toEqual(new Set([409]));
    expectLinear();
  });

  it('and is a few statements where they do not depend on each other [contract 7]', async () => {
    await upsert((n) => ({ email: `plain-${n}@x.example`, city: 'x' }));
    expect(validated).toHaveBeenCalledTimes(2 * INPUTS);
    expect(concerned).toBe(2 * INPUTS);
    expect(asked).toBe(0);
    expect(found).not.toHaveBeenCalled();
  });
});

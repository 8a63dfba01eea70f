import { AccountLanes } from './account-lanes.js';
import { WaitingRequest } from './waiting-request.js';

let lanes: AccountLanes;

// A request that is put back waits by the clock.
beforeEach(() => {
  jest.useFakeTimers();
  lanes = new AccountLanes({ accountId: 'acme' });
});

afterEach(() => jest.useRealTimers());

const add = (routerId: string, objectId: string): void =>
  lanes
    .of(routerId)
    .add(new WaitingRequest(objectId, {}, { resolve: () => undefined, reject: () => undefined }));
const order = (): string[] => lanes.ready(false).map(({ routerId }) => routerId);

describe('A lane that a transaction has served', () => {
  it('keeps its place where its first request is left, before lanes that came meanwhile [contract 4]', () => {
    add('R', 'a');
    const taken = lanes.take(lanes.ready(false));
    add('S', 'b');
    for (const { lane, requests } of taken) lane.putBack(requests);
    lanes.release(taken);
    expect(order()).toEqual(['R', 'S']);
  });

  it('is the last to get its turn again where its first request is done [contract 4]', () => {
    add('R', 'a');
    const taken = lanes.take(lanes.ready(false));
    add('S', 'b');
    add('R', 'c');
    lanes.release(taken);
    expect(order()).toEqual(['S', 'R']);
  });
});

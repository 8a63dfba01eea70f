import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { BodyGuard } from './body.guard.js';

const MIB = 1024 * 1024;

describe('the memory of bodies', () => {
  it('is bounded for each account and for all [contract 1]', async () => {
    const guard = new BodyGuard({ of: () => undefined } as never, { BODY_LIMIT: '6mb' });

    /** Begins to receive a body. @returns its response, and what its request is refused with */
    function begin(
      accountId: string,
      bytes = 6 * MIB,
    ): { response: EventEmitter; refused: Promise<unknown> } {
      const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
      const socket = new EventEmitter();
      const readable = { readable: true, readableEncoding: null, pause: () => undefined };
      const request = Object.assign(new EventEmitter(), readable, { headers, user: { accountId }, socket });
      const response = new EventEmitter();
      const context = { getArgByIndex: (index: number) => [request, response][index] };
      const refused = Promise.resolve(guard.canActivate(context as unknown as ExecutionContext)).catch(
        (error: unknown) => error,
      );
      return { response, refused };
    }
    const refusal = { status: 503, message: expect.stringMatching(/^Too many large requests/) as string };

    const first = begin('a');
    begin('a');
    expect(await begin('a').refused).toMatchObject(refusal);
    first.response.emit('prefinish');
    begin('a');
    expect(await begin('a').refused).toMatchObject(refusal);
    for (const account of ['b', 'b', 'c', 'c', 'd', 'd', 'e', 'e']) begin(account);
    expect(await begin('f', 5 * MIB).refused).toMatchObject(refusal);
    begin('f', 4 * MIB);
    expect(await begin('g', MIB).refused).toMatchObject(refusal);
  });
});

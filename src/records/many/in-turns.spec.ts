import { OUTDATED } from '../../configuration/index.js';
import { notFound } from '../../errors/errors.js';
import { done, type Ended } from './ended.js';
import { inTurns } from './in-turns.js';

interface Write {
  readonly name: string;
}

const write = (name: string): Write => ({ name });
const refused = { error: notFound('gone') };

let did: string[];
beforeEach(() => (did = []));

/** Notes what is done. @param together what becomes of a run; all of it unless given */
const run = (
  planned: readonly (Write | { readonly error: Error } | 'alone')[],
  together: (names: string[]) => (Ended | undefined)[] | typeof OUTDATED = (names) => names.map(shown),
): Promise<Ended[] | typeof OUTDATED> =>
  inTurns<Write>(planned, {
    onEnded: undefined,
    together: (writes) => {
      const names = writes.map(({ name }) => name);
      did.push(names.join(''));
      return Promise.resolve(together(names));
    },
    alone: (place) => {
      did.push(`alone ${place}`);
      return Promise.resolve(shown(`alone ${place}`));
    },
  });

const shown = (id: string): Ended => done({ id });

describe('Writes in turns', () => {
  it('are done together, but those between that have to be done alone [contract 7]', async () => {
    const ended = await run([write('a'), refused, write('b'), 'alone', write('c')]);
    expect(did).toEqual(['ab', 'alone 3', 'c']);
    expect(ended).toEqual([shown('a'), refused, shown('b'), shown('alone 3'), shown('c')]);
  });

  it('are done together as many as go, and then the next ones [contract 7]', async () => {
    const ended = await run([write('a'), write('b'), write('c')], (names) => names.slice(0, 2).map(shown));
    expect(did).toEqual(['abc', 'c']);
    expect(ended).toEqual([shown('a'), shown('b'), shown('c')]);
  });

  it('are done alone where nobody knows why they were not done, before those behind [contract 7]', async () => {
    const ended = await run([write('a'), write('b'), 'alone'], ([first = '']) => [shown(first), undefined]);
    expect(did).toEqual(['ab', 'alone 1', 'alone 2']);
    expect(ended).toEqual([shown('a'), shown('alone 1'), shown('alone 2')]);
  });

  it('are planned anew under another configuration only while nothing is done [contract 3]', async () => {
    expect(await run([write('a'), 'alone'], () => OUTDATED)).toBe(OUTDATED);
    expect(did).toEqual(['a']);
    const ended = await run(['alone', write('a'), write('b')], () => OUTDATED);
    expect(did.slice(1)).toEqual(['alone 0', 'ab', 'alone 1', 'alone 2']);
    expect(ended).toEqual([shown('alone 0'), shown('alone 1'), shown('alone 2')]);
  });

  it('end where somebody who is told of them wants no more [contract 7]', async () => {
    const full = (): never => {
      throw new Error('full');
    };
    const turns = inTurns<Write>([write('a')], {
      onEnded: full,
      together: () => Promise.resolve([shown('a')]),
      alone: () => Promise.reject(new Error('not done')),
    });
    await expect(turns).rejects.toThrow('full');
  });
});

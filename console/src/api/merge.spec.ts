import { merged } from './merge';

const rule = (id: string, more: object = {}) => ({ id, name: id, ...more });
const [a, b, c] = [rule('a'), rule('b'), rule('c')];
const of = (base: unknown, mine: unknown, theirs: unknown) => merged({ base, mine, theirs });

describe('what two people have made of one value', () => {
  it('is both, where one of them has changed nothing', () => {
    expect(of(1, 2, 1)).toEqual({ value: 2 });
    expect(of(1, 1, 3)).toEqual({ value: 3 });
    expect(of(1, 2, 3)).toBeUndefined();
    expect(of({ x: 1 }, { x: 2 }, { x: 1, y: 1 })).toBeUndefined();
  });

  it('is both, where they have changed other entries, or other keys of one', () => {
    const mine = rule('a', { name: 'A' });
    const theirs = rule('a', { refuse: true });
    expect(of([a, b], [mine, b], [a, rule('b', { name: 'B' })])).toEqual({
      value: [mine, rule('b', { name: 'B' })],
    });
    expect(of([a], [mine], [theirs])).toEqual({ value: [{ id: 'a', name: 'A', refuse: true }] });
    expect(of([a], [mine], [rule('a', { name: 'B' })])).toBeUndefined();
  });

  it('has what each has added, in its place, and not what either has removed', () => {
    expect(of([a, b], [rule('m'), a, b], [a, rule('t'), b])).toEqual({
      value: [rule('m'), a, rule('t'), b],
    });
    expect(of([a, b, c], [a, b], [b, c])).toEqual({ value: [b] });
    expect(of([a, b], [a], [a, rule('b', { name: 'B' })])).toBeUndefined();
  });

  it('has the order of the one who has moved something', () => {
    expect(of([a, b, c], [c, a, b], [a, b, c, rule('t')])).toEqual({ value: [c, rule('t'), a, b] });
    expect(of([a, b, c], [a, b, rule('m'), c], [c, b, a])).toEqual({ value: [c, b, rule('m'), a] });
    expect(of([a, b, c], [b, a, c], [a, c, b])).toBeUndefined();
  });

  it('is asked for, where both have renamed what has no id', () => {
    expect(
      of([{ name: 'a' }, { name: 'b' }], [{ name: 'x' }, { name: 'b' }], [{ name: 'a' }, { name: 'y' }]),
    ).toEqual({ value: [{ name: 'x' }, { name: 'y' }] });
    expect(of([{ name: 'a' }], [{ name: 'x' }], [{ name: 'y' }])).toBeUndefined();
    expect(of([{ email: 'a' }], [], [{ email: 'b' }])).toBeUndefined();
  });
});

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

  it('knows what has no id under another name, in its place', () => {
    const [x, y, z] = ['x', 'y', 'z'].map((name) => ({ name, users: [name] }));
    const renamed = (of: object | undefined, name: string) => ({ ...of, name });
    expect(of([x, y, z], [renamed(x, 'X'), y, z], [x, renamed(y, 'Y'), z])).toEqual({
      value: [renamed(x, 'X'), renamed(y, 'Y'), z],
    });
    expect(of([x, y], [y, renamed(x, 'X')], [x, { ...y, refuse: true }])).toEqual({
      value: [{ ...y, refuse: true }, renamed(x, 'X')],
    });
    expect(of([x], [renamed(x, 'X')], [renamed(x, 'Y')])).toBeUndefined();
    expect(of([{ email: 'a' }], [], [{ email: 'b' }])).toBeUndefined();
  });

  it('has the rules of both, who have added one each', () => {
    expect(of([a], [a, { name: 'm' }], [a, { name: 't' }])).toEqual({
      value: [a, { name: 'm' }, { name: 't' }],
    });
    expect(of([a], [a, { name: 'm' }], [a, { name: 'm', refuse: true }])).toBeUndefined();
  });
});

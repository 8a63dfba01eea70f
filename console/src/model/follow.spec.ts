import { follow } from './follow';

const [a, b, c] = [{ name: 'a' }, { name: 'b', id: '1' }, { name: 'c' }];
const first = follow(undefined, [a, b, c]);

it('gives each thing a key that stays with it', () => {
  expect(first.keys).toEqual([0, 1, 2]);
  expect(follow(first, [c, a, b]).keys).toEqual([2, 0, 1]);
  expect(follow(first, [b, c]).keys).toEqual([1, 2]);
  expect(follow(first, [{ name: 'a2' }, b, c]).keys).toEqual([0, 1, 2]);
  expect(follow(first, [{ name: 'x', id: '1' }, { name: 'a', refuse: true }, c]).keys).toEqual([1, 0, 2]);
});

it('gives no key twice, and tells things without names apart', () => {
  expect(follow(follow(first, [a, b]), [a, b, { name: 'd' }]).keys).toEqual([0, 1, 3]);
  const [x, y] = [{}, {}];
  const nameless = follow<object>(undefined, [x, y]);
  expect(follow<object>(nameless, [y, x]).keys).toEqual([1, 0]);
  expect(follow<object>(nameless, [y]).keys).toEqual([1]);
});

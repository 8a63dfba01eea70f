import { KnownToAll } from './known-to-all.js';

it('A key is known to all when every transaction has ended that began before it could be seen', () => {
  const known = new KnownToAll();
  expect([...known.add(['a'], { id: 10n, running: 8n })]).toEqual([]);
  expect([...known.add(['a', 'b'], { id: 12n, running: 10n })]).toEqual([]);
  expect([...known.add(['a', 'b'], { id: 14n, running: 11n })]).toEqual(['a']);
  expect([...known.add(['a', 'b'], { id: 15n, running: 13n })]).toEqual(['a', 'b']);
});

it('A key that was left out is new again, and so are all on another server', () => {
  const known = new KnownToAll();
  known.add(['a', 'b'], { id: 10n, running: 10n });
  known.add(['b'], { id: 11n, running: 10n });
  expect([...known.add(['a', 'b'], { id: 20n, running: 15n })]).toEqual(['b']);
  expect([...known.add(['b'], { id: 3n, running: 3n })]).toEqual([]);
  expect([...known.add(['b'], { id: 5n, running: 4n })]).toEqual(['b']);
});

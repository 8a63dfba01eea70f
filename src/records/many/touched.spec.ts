import { Touched } from './touched.js';

let touched: Touched;
beforeEach(() => {
  touched = new Touched();
  expect(touched.add({ id: 'a', keys: ['email 1', 'email 2'] })).toBe(true);
});

describe('Writes that are done together', () => {
  it('may name other records and other keys, or none [contract 7]', () => {
    expect(touched.add({ keys: [] })).toBe(true);
    expect(touched.add({ keys: [] })).toBe(true);
    expect(touched.add({ id: 'b', keys: ['email 3'] })).toBe(true);
  });

  it.each([
    ['writes the record of one before', { id: 'a', keys: [] }],
    ['takes a key that one before takes', { id: 'b', keys: ['email 2'] }],
    ['has the name that one before gives back', { keys: ['email 1', 'email 9'] }],
  ])('have none that %s [contract 7]', (_, write) => {
    expect(touched.add(write)).toBe(false);
    // What is not among them does not keep others from it.
    expect(touched.add({ id: 'c', keys: ['email 9'] })).toBe(true);
  });
});

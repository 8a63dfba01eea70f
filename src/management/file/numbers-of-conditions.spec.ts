import { withNumbers } from './numbers-of-conditions.js';

it('Numbers as YAML spells them are numbers in conditions on fields of numbers alone [contract 5]', () => {
  const on = (field: string, value: unknown): object => ({
    rules: [{ name: '1e3', trigger: { groups: [{ conditions: [{ field, operator: 'in', value }] }] } }],
  });
  const read = (field: string, value: unknown): object =>
    withNumbers(on(field, value), (name) => name === 'score');
  const written = ['1e6', '.5', '5.', '0x1F', '0o17', '1.5e3', '010', '1.10', '12345678901234567890'];
  const numbers = [1e6, 0.5, 5, 31, 15, 1500, '010', '1.10', '12345678901234567890'];
  expect(read('score', written)).toEqual(on('score', numbers));
  expect(read('score', '1e3')).toEqual(on('score', 1000));
  expect(read('zip', written)).toEqual(on('zip', written));
  expect(read('score', ['', ' ', 'ten', null, 5])).toEqual(on('score', ['', ' ', 'ten', null, 5]));
});

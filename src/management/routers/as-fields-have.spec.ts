import { asFieldsHave } from './as-fields-have.js';

const TYPES: Record<string, string> = { score: 'number', zip: 'string', tier: 'enumeration' };

it('Values of conditions are numbers for fields of numbers, and texts for options, as YAML has them [contract 5]', () => {
  const on = (field: string, value: unknown): object => ({
    rules: [{ name: '1e3', trigger: { groups: [{ conditions: [{ field, operator: 'in', value }] }] } }],
  });
  const read = (field: string, value: unknown): object =>
    asFieldsHave(on(field, value), (name) => TYPES[name]);
  const written = ['1e6', '.5', '5.', '0x1F', '0o17', '1.5e3', '010', '1.10', '12345678901234567890'];
  const numbers = [1e6, 0.5, 5, 31, 15, 1500, '010', '1.10', '12345678901234567890'];
  expect(read('score', written)).toEqual(on('score', numbers));
  expect(read('score', '1e3')).toEqual(on('score', 1000));
  expect(read('zip', written)).toEqual(on('zip', written));
  expect(read('score', ['', ' ', 'ten', null, 5])).toEqual(on('score', ['', ' ', 'ten', null, 5]));
  expect(read('tier', [1, true, 'x', '01'])).toEqual(on('tier', ['1', 'true', 'x', '01']));
  expect(read('constructor', [1])).toEqual(on('constructor', [1]));
});

import { instantOf } from './span';

const NOW = new Date('2026-11-28T17:24:31.500Z');

it('a span of an address is counted back from the minute, so that it is the same question within it', () => {
  expect(instantOf('24h', 'from', NOW)).toBe('2026-11-27T17:24:00.000Z');
  expect(instantOf('7d', 'from', NOW)).toBe('2026-11-21T17:24:00.000Z');
});

it('a date is the whole day of the viewer, and an instant is itself', () => {
  const [from, to] = [instantOf('2026-11-28', 'from', NOW), instantOf('2026-11-28', 'to', NOW)];
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
  expect(instantOf('2026-11-28T10:00:00Z', 'to', NOW)).toBe('2026-11-28T10:00:00.000Z');
});

it.each([undefined, '', 'soon', '2026-99-99T00:00:00Z'])('%p is no time', (value) => {
  expect(instantOf(value, 'from', NOW)).toBeUndefined();
});

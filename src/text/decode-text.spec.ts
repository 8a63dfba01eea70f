import { decodeText } from './decode-text.js';

it('Text is UTF-8, or UTF-16 where a mark says so; other bytes are refused', () => {
  const text = 'name: Jörg 😀\n';
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le');
  expect(decodeText(Buffer.from(text))).toBe(text);
  expect(decodeText(wide)).toBe(text);
  expect(decodeText(Buffer.from(wide).swap16())).toBe(text);
  expect(() => decodeText(Buffer.from('name: Jörg', 'latin1'))).toThrow('It is not in UTF-8');
});

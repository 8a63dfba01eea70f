import { bytesOf } from './bytes-of.js';

describe('a size of the environment', () => {
  it.each([
    ['1', 1],
    ['65536', 65_536],
    ['10b', 10],
    ['64kb', 65_536],
    ['64KB', 65_536],
    ['2Mb', 2_097_152],
    ['9999999999mb', 9_999_999_999 * 1_048_576],
  ])('%s is %d bytes [contract 5]', (size, bytes) => {
    expect(bytesOf(size)).toBe(bytes);
  });

  it.each(['', '0', 'kb', '1gb', '1 kb', '-1', '1.5mb'])('%j is none', (size) => {
    expect(() => bytesOf(size)).toThrow(`${size} is not a size`);
  });
});

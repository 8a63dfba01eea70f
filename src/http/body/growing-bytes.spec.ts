import { GrowingBytes } from './growing-bytes.js';

const KIB = 1024;

/** 64 KiB in which every piece differs from the next. */
const WHOLE = Buffer.from(Array.from({ length: 64 * KIB }, (_, index) => (index * 31 + (index >> 8)) & 0xff));

function joined(size: number, most = WHOLE.length): GrowingBytes {
  const bytes = new GrowingBytes(most);
  for (let start = 0; start < WHOLE.length; start += size) bytes.add(WHOLE.subarray(start, start + size));
  return bytes;
}

describe('Bytes that grow', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([1, 2, 3, 7, 1_000, KIB, 4_097, 65_535, 65_536])('are the pieces of %d bytes in order', (size) => {
    expect(joined(size).bytes().equals(WHOLE)).toBe(true);
    expect(joined(size).length).toBe(WHOLE.length);
  });

  it('copy each byte a bounded number of times, however small the pieces are', () => {
    const made = jest.spyOn(Buffer, 'allocUnsafeSlow');
    joined(1, 1024 * KIB);
    expect(made.mock.calls.map(([size]) => size / KIB)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  });

  it('keep a single piece without a copy', () => {
    const made = jest.spyOn(Buffer, 'allocUnsafeSlow');
    expect(joined(WHOLE.length).bytes().buffer).toBe(WHOLE.buffer);
    expect(made).not.toHaveBeenCalled();
  });

  it('are no more than the most that was named, and neither is the memory', () => {
    const bytes = new GrowingBytes(1_500);
    const made = jest.spyOn(Buffer, 'allocUnsafeSlow');
    for (let n = 0; n < 1_500; n++) bytes.add(Buffer.from([n & 0xff]));
    expect(made.mock.calls).toEqual([[1_024], [1_500]]);
    expect(() => bytes.add(Buffer.from('x'))).toThrow(new RangeError('There are more than 1500 bytes'));
    expect(bytes.bytes()).toHaveLength(1_500);
    expect(() => new GrowingBytes(2).add(Buffer.from('xyz'))).toThrow(RangeError);
  });

  it('may be none, also of pieces without bytes', () => {
    const bytes = new GrowingBytes(0);
    bytes.add(Buffer.alloc(0));
    expect(bytes.bytes()).toEqual(Buffer.alloc(0));
  });
});

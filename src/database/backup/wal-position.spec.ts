import { parseLsn, walSegments } from './wal-position.js';

const range = { timeline: 1, segmentBytes: 16 * 1024 * 1024 };

describe('a position in the WAL', () => {
  it('is a number of bytes', () => {
    expect(parseLsn('0/0')).toBe(0n);
    expect(parseLsn('0/1A')).toBe(26n);
    expect(parseLsn('2/FFFFFFFF')).toBe(0x2_ffff_ffffn);
  });

  it.each(['', '1', '1/', '/1', '1/2/3', 'x/1', '123456789/0'])('is not %j', (text) => {
    expect(() => parseLsn(text)).toThrow(`${text} is not a position in the WAL`);
  });
});

describe('the segments of a part of the WAL', () => {
  it('are one where it begins and ends in the same', () => {
    expect(walSegments({ ...range, start: '0/2000028', stop: '0/2000120' })).toEqual([
      '000000010000000000000002',
    ]);
  });

  it('leave out the one that begins where it ends', () => {
    expect(walSegments({ ...range, start: '0/2000028', stop: '0/3000000' })).toEqual([
      '000000010000000000000002',
    ]);
  });

  it('go on in the next group after the last of a group', () => {
    expect(walSegments({ ...range, timeline: 18, start: '0/FE000000', stop: '1/1000001' })).toEqual([
      '0000001200000000000000FE',
      '0000001200000000000000FF',
      '000000120000000100000000',
      '000000120000000100000001',
    ]);
  });

  it('depend on their size', () => {
    const large = { ...range, segmentBytes: 1024 * 1024 * 1024 };
    expect(walSegments({ ...large, start: '0/FFFFFFFF', stop: '1/1' })).toEqual([
      '000000010000000000000003',
      '000000010000000100000000',
    ]);
  });
});

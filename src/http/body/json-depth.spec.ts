import { jsonDepth } from './json-depth.js';

const depthOf = (text: string): number => jsonDepth(Buffer.from(text));

describe('the depth of a JSON text', () => {
  it.each([
    ['', 0],
    ['1', 0],
    ['"[[["', 0],
    ['{}', 1],
    ['[]', 1],
    ['[[], [[]], []]', 3],
    ['{"a":{"b":[1,{"c":2}]}}', 4],
    ['{"[{":"]}"}', 1],
    [String.raw`["\"[[", "\\", [ ]]`, 2],
    [String.raw`["\\\"[[["]`, 1],
    ['["ü[", "😀{"]', 1],
  ])('%s is %i', (text, depth) => expect(depthOf(text)).toBe(depth));

  it('of a text that is no JSON is still a number, and found quickly', () => {
    expect(depthOf(']]]][')).toBeLessThanOrEqual(1);
    expect(depthOf('"[[[')).toBe(0);
    expect(depthOf('['.repeat(1_000_000))).toBe(1_000_000);
  });
});

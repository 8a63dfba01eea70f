import { AT_ONCE, batched } from './batched';

describe('A reading in batches', () => {
  it('reads together what is asked for in one moment, each key once', async () => {
    const asked: string[][] = [];
    const read = batched((keys) => {
      asked.push(keys);
      return Promise.resolve(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`] as const));
    });
    expect(await Promise.all([read('a'), read('none'), read('a'), read('b')])).toEqual([
      'a!',
      null,
      'a!',
      'b!',
    ]);
    expect(await read('c')).toBe('c!');
    expect(asked).toEqual([['a', 'none', 'b'], ['c']]);
  });

  it('has no more keys in one request than an address has room for', async () => {
    const sizes: number[] = [];
    const read = batched((keys) => {
      sizes.push(keys.length);
      return Promise.resolve(keys.map((key) => [key, Number(key)] as const));
    });
    const keys = Array.from({ length: 2 * AT_ONCE + 1 }, (_, n) => n);
    expect(await Promise.all(keys.map((key) => read(String(key))))).toEqual(keys);
    expect(sizes).toEqual([AT_ONCE, AT_ONCE, 1]);
  });

  it('goes on after a request that fails', async () => {
    let fails = true;
    const read = batched((keys) =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve(keys.map((key) => [key, key] as const)),
    );
    await expect(read('a')).rejects.toThrow('gone');
    fails = false;
    expect(await read('a')).toBe('a');
  });
});

import { newId } from './ids.js';

describe('an id', () => {
  it('is a UUIDv7, each later than the one before [contract 1]', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is later than the one before while the clock stands still, and when it runs backwards [contract 1]', () => {
    const start = Date.now() + 60_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    const ids = Array.from({ length: 10_000 }, newId);
    clock.mockReturnValue(start - 3_600_000);
    ids.push(...Array.from({ length: 10 }, newId));
    clock.mockReturnValue(start + 3_600_000);
    ids.push(newId());
    clock.mockRestore();
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

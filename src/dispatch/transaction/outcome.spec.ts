import { conflict } from '../../errors/errors.js';
import { attempt } from './outcome.js';

describe('an attempt', () => {
  it('has the value of what goes well', () => {
    expect(attempt(() => 7)).toEqual({ ok: true, value: 7 });
  });

  it('has the domain error of what the caller is to see', () => {
    const error = conflict('Archived');
    expect(
      attempt(() => {
        throw error;
      }),
    ).toEqual({ ok: false, error });
  });

  it('throws on what nobody expected', () => {
    const error = new TypeError('a mistake');
    const work = (): unknown =>
      attempt(() => {
        throw error;
      });
    expect(work).toThrow(error);
  });
});

import { validateDto } from '../../validation/validate-dto.js';
import { IsKnownTimeZone } from './user.dto.js';

class Dto {
  @IsKnownTimeZone()
  timezone!: unknown;
}

describe('a time zone', () => {
  it('is looked up once where it is known, and each time where it is not', () => {
    const format = jest.spyOn(Intl, 'DateTimeFormat');
    const isValid = (timezone: unknown): boolean => validateDto(Dto, { timezone }).ok;
    // A zone that no other test uses: what is known is known to all files of a worker.
    expect([1, 2, 3].map(() => isValid('Antarctica/Troll'))).toEqual([true, true, true]);
    expect(format).toHaveBeenCalledTimes(1);
    expect([1, 2].map(() => isValid('Asia/Nowhere'))).toEqual([false, false]);
    expect(format).toHaveBeenCalledTimes(3);
    format.mockRestore();
  });

  it.each([[7], [null], ['']])('is no %j', (timezone) => {
    expect(validateDto(Dto, { timezone })).toMatchObject({
      errors: [{ field: 'timezone', message: 'timezone must be an IANA zone such as America/New_York' }],
    });
  });
});

import { validateDto } from '../../validation/validate-dto.js';
import { UserDto } from './directory.dto.js';

describe('a time zone', () => {
  it('is one that is known', () => {
    expect(validateDto(UserDto, { email: 'ada@acme.test', timezone: 'Antarctica/Troll' })).toMatchObject({
      ok: true,
    });
  });

  it.each([[7], [null], [''], ['Asia/Nowhere']])('is no %j', (timezone) => {
    expect(validateDto(UserDto, { email: 'ada@acme.test', timezone })).toMatchObject({
      errors: [{ field: 'timezone', message: 'timezone must be an IANA zone such as America/New_York' }],
    });
  });
});

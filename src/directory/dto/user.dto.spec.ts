import { validateDto } from '../../validation/validate-dto.js';
import { UserDto } from './user.dto.js';

describe('the time zone of a user', () => {
  it.each([[7], [null], [''], ['Asia/Nowhere']])('is no %j', (timezone) => {
    expect(validateDto(UserDto, { email: 'ada@acme.test', timezone })).toMatchObject({
      errors: [{ field: 'timezone', message: 'timezone must be an IANA zone such as America/New_York' }],
    });
  });

  it.each(['UTC', 'Antarctica/Troll'])('is %s', (timezone) => {
    expect(validateDto(UserDto, { email: 'ada@acme.test', timezone }).ok).toBe(true);
  });
});

import { nearestName } from './nearest-name.js';

const KEYS = ['email', 'name', 'timezone', 'available', 'working_hours', 'out_of_office', 'limits', 'id'];

describe('the nearest name', () => {
  it.each([
    ['emial', 'email'],
    ['e-mail', 'email'],
    ['Email', 'email'],
    ['nane', 'name'],
    ['time_zone', 'timezone'],
    ['workinghours', 'working_hours'],
    ['avaliable', 'available'],
    ['limit', 'limits'],
  ])('of %s is %s', (name, nearest) => {
    expect(nearestName(name, KEYS)).toBe(nearest);
  });

  it.each([['x'], [''], ['phone'], ['ix'], ['enabled'], ['email'.repeat(20)]])('of %s is none', (name) => {
    expect(nearestName(name, KEYS)).toBeUndefined();
  });

  it('is the first of those that are as near', () => {
    expect(nearestName('cats', ['cat', 'cars', 'carts'])).toBe('cat');
  });
});

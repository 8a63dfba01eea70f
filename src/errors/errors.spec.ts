import { Failures } from './errors.js';

describe('Failures', () => {
  it('are no error while there are none', () => expect(new Failures().toError()).toBeUndefined());

  it('are described only as far as an error lists them [contract 1]', () => {
    const failures = new Failures();
    const describe = jest.fn((index: number) => ({ field: `f${index}`, message: `m${index}` }));
    for (let index = 0; index < 250; index++) failures.add(() => describe(index));
    expect(describe).toHaveBeenCalledTimes(100);
    const error = failures.toError();
    expect(error).toMatchObject({ status: 400, message: 'm0 (and 249 more)', details: { omitted: 150 } });
    expect(error?.details.errors).toHaveLength(100);
    expect(error?.details.field).toBeUndefined();
  });

  it('name the field when there is one only [contract 1]', () => {
    const failures = new Failures();
    failures.add(() => ({ field: 'a', message: 'm' }));
    expect(failures.toError()?.details).toEqual({ field: 'a', errors: [{ field: 'a', message: 'm' }] });
  });
});

import { storedContact } from '../../../test/units/stored-contact.js';
import { requireDispatchable } from './dispatchable.js';

const archived = { archived_at: new Date(0) };

describe('a record that is dispatched', () => {
  it("is an active one of the router's type [4.6]", () => {
    const record = storedContact('a');
    expect(requireDispatchable(record, 'contacts')).toBe(record);
  });

  it.each([
    ['no record', undefined, 404, 'Object not found', undefined],
    ['a record of another type', storedContact('a', {}, { object_type: 'deals' }), 400, 'This router is for contacts; the object is one of deals', 'object_id'],
    ['an archived record of another type', storedContact('a', {}, { object_type: 'deals', ...archived }), 400, 'This router is for contacts; the object is one of deals', 'object_id'],
    ['an archived record', storedContact('a', {}, archived), 409, 'The object is archived and cannot be assigned', undefined],
  ])('is not %s [4.6, 2.9]', (_, record, status, message, field) => {
    const refusal = (): unknown => requireDispatchable(record, 'contacts');
    expect(refusal).toThrow(expect.objectContaining({ status, message }));
    if (field !== undefined) expect(refusal).toThrow(expect.objectContaining({ details: expect.objectContaining({ field }) }));
  }); // prettier-ignore
});

import type { FairleadExtension } from 'fairlead';
import { COUNTRY_IS } from './country-is.js';
import { PhoneFieldType } from './phone-field-type.js';

/** Fields of type `phone`, and the trigger operator `country_is`. */
const phoneField: FairleadExtension = {
  name: 'phone-field',
  fieldTypes: [new PhoneFieldType()],
  triggerOperators: [COUNTRY_IS],
};

export default phoneField;

import type { OperandResult, TriggerOperator } from 'fairlead';
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * `country_is`: the phone number belongs to a country, named by its two letters; never for a missing
 * value. Countries that share a calling code, such as US and CA, are told apart by their area codes.
 */
export const COUNTRY_IS: TriggerOperator = {
  id: 'country_is',

  compile(country, { definition }): OperandResult {
    if (definition.type !== 'phone') {
      const message = `country_is compares phone numbers, but ${definition.internalName} is of type ${definition.type}`;
      return { ok: false, message, blame: 'operator' };
    }
    if (typeof country !== 'string' || !isSupportedCountry(country)) {
      return { ok: false, message: 'value must be a country of two letters, such as GB', blame: 'value' };
    }
    // No calling code begins another one, so most records are told by their first digits.
    const prefix = `+${getCountryCallingCode(country)}`;
    return {
      ok: true,
      test: (value) => value?.stored.startsWith(prefix) === true && countryOf(value.stored) === country,
    };
  },
};

function countryOf(stored: string): string | undefined {
  return parsePhoneNumberFromString(stored, { extract: false })?.country;
}

/** The formats of the OpenAPI document that ajv-formats does not know. */
export const FORMATS = { 'idn-email': /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u };

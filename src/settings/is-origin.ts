import { ValidateBy } from 'class-validator';

/** Accepts a list of web origins as browsers send them, such as `https://app.example.com:8443`. */
export const IsOrigin = (): PropertyDecorator =>
  ValidateBy({
    name: 'isOrigin',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isOrigin),
      defaultMessage: (args) =>
        `${args?.property ?? 'value'} must be origins separated by commas, such as https://app.example.com: ` +
        'http or https, host in lower case, port unless it is the usual one, and nothing behind it',
    },
  });

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:[^*]+$/.test(value)) return false;
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
}

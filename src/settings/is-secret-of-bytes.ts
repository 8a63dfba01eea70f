import { ValidateBy } from 'class-validator';

/** Accepts a string of at least `bytes` bytes in UTF-8. The error message does not contain the value. */
export function IsSecretOfBytes(bytes: number): PropertyDecorator {
  return ValidateBy({
    name: 'isSecretOfBytes',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && Buffer.byteLength(value) >= bytes,
      defaultMessage: (args) => `${args?.property ?? 'secret'} must be at least ${bytes} bytes long`,
    },
  });
}

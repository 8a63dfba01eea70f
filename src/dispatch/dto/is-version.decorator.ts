import { ValidateBy } from 'class-validator';

/** Greatest number of a version of a router. */
const MOST = 2 ** 31 - 1;

/** Accepts what names a version of a router: `live`, `draft` or a number. */
export const IsVersion = (): PropertyDecorator =>
  ValidateBy({
    name: 'isVersion',
    validator: {
      validate: (value: unknown) =>
        value === 'live' ||
        value === 'draft' ||
        (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST),
      defaultMessage: (args) => `${args?.property ?? 'value'} must be live, draft or the number of a version`,
    },
  });

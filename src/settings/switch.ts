import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

const MEANINGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** A setting that is `true` or `false`. */
export function Switch(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => MEANINGS[String(value)] ?? value),
    ValidateBy({
      name: 'isSwitch',
      validator: {
        validate: (value: unknown) => typeof value === 'boolean',
        defaultMessage: (args) => `${args?.property ?? 'the switch'} must be true or false`,
      },
    }),
  );
}

import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, Matches, ValidateBy } from 'class-validator';
import { isoDay } from '../../time/parse-instant.js';

/** Accepts a list of at most 1000 local dates `YYYY-MM-DD`. */
export const IsHolidays = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(1000),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { each: true, message: 'holidays must be dates such as 2026-12-25' }),
    ValidateBy(
      {
        name: 'isDate',
        validator: {
          validate: (day) => isoDay(day) === day,
          defaultMessage: () => 'holidays must be dates that exist',
        },
      },
      { each: true },
    ),
  );

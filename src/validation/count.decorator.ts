import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

/** Most that a count of the configuration may be. */
export const MOST_COUNT = 1_000_000_000;

/** Property decorator for a count: an integer from 0 to MOST_COUNT. */
export const IsCount = (): PropertyDecorator => applyDecorators(Min(0), Max(MOST_COUNT), IsInt());

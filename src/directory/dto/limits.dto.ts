import { IsIn, IsInt, Min } from 'class-validator';
import { MayBeAbsent } from '../../validation/presence.decorator.js';
import type { AssignmentLimits } from '../user.js';

/** The limits of a user in the configuration file: most assignments in an hour, day, week and month. */
export class LimitsDto implements AssignmentLimits {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  hour?: number;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  day?: number;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  week?: number;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  month?: number;

  @MayBeAbsent()
  @IsIn(['rolling', 'calendar'])
  window?: 'rolling' | 'calendar';
}

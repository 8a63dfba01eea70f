import { IsIn, IsInt, Min } from 'class-validator';
import { MayBeAbsent } from '../../validation/presence.decorator.js';
import type { AssignmentLimits } from '../user.js';

/** The most assignments in a span, as the configuration file has them. */
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

import { IsIn } from 'class-validator';
import { IsCount, MayBeAbsent } from '../../validation/decorators.js';
import type { AssignmentLimits } from '../user.js';

/** The most assignments in a span, as the configuration file has them. */
export class LimitsDto implements AssignmentLimits {
  @MayBeAbsent()
  @IsCount()
  hour?: number;

  @MayBeAbsent()
  @IsCount()
  day?: number;

  @MayBeAbsent()
  @IsCount()
  week?: number;

  @MayBeAbsent()
  @IsCount()
  month?: number;

  @MayBeAbsent()
  @IsIn(['rolling', 'calendar'])
  window?: 'rolling' | 'calendar';
}

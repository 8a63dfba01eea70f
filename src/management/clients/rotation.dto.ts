import { IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../validation/decorators.js';
import { MOST_OVERLAP } from './most-overlap.js';

/** The body of `POST /clients/{id}/rotate`. */
export class RotationDto {
  /** Seconds for which the secret before works on. Default 0. */
  @MayBeAbsent()
  @Min(0)
  @Max(MOST_OVERLAP)
  @IsInt()
  overlap_seconds?: number;
}

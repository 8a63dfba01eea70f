import { IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../validation/presence.decorator.js';

/** Most seconds for which a secret works after it was replaced (contract, section 6). */
export const MOST_OVERLAP = 86_400;

/** The body of `POST /clients/{id}/rotate`. */
export class RotationDto {
  /** Seconds for which the secret before works on. Default 0. */
  @MayBeAbsent()
  @Min(0)
  @Max(MOST_OVERLAP)
  @IsInt()
  overlap_seconds?: number;
}

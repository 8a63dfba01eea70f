import { IsInt, Max, Min, ValidateBy } from 'class-validator';
import { MOST_OVERLAP, parseScopes, SCOPES } from '../../auth/index.js';
import { IsStorableText, MayBeAbsent } from '../../validation/decorators.js';

/** Accepts a text of one or more scopes, separated by spaces. */
const IsScopeList = (): PropertyDecorator =>
  ValidateBy({
    name: 'isScopeList',
    validator: {
      validate: (value: unknown) => {
        const parsed = typeof value === 'string' ? parseScopes(value) : { unknown: [] };
        return 'scopes' in parsed && parsed.scopes.length > 0;
      },
      defaultMessage: (args) => `${args?.property ?? 'value'} must be one or more of ${SCOPES.join(' ')}`,
    },
  });

/** The body of `POST /clients`. */
export class ClientDto {
  @IsStorableText(200)
  name!: string;

  /** Space-separated. Default: all but `availability` and `manage`. */
  @MayBeAbsent()
  @IsScopeList()
  scope?: string;
}

/** The body of `POST /clients/{id}/rotate`. */
export class RotationDto {
  /** Seconds for which the secret before works on. Default 0. */
  @MayBeAbsent()
  @Min(0)
  @Max(MOST_OVERLAP)
  @IsInt()
  overlap_seconds?: number;
}

import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { PAGE_ROWS } from '../../paging/index.js';
import { MayBeAbsent, MayBeNull } from '../../validation/decorators.js';

/** The most characters of a cursor: three values of 256 characters, or of 1,000 digits, and the sort. */
export const MOST_CURSOR = 16_384;

/** The most fields that a search sorts by. */
export const MOST_SORTS = 3;

/** What is wrong with a cursor that is none of the search. */
export const NO_CURSOR = 'after must be the next of another page of this search';

/** The most names of a list: all fields of a type, and more. */
export const MOST_NAMES = 1_000;

/** Property decorator: a list of names of fields, which may be absent. @param key of the property */
export const NameList = (key: string): PropertyDecorator =>
  applyDecorators(
    IsArray({ message: `${key} must be a list of names` }),
    ArrayMaxSize(MOST_NAMES, { message: `${key} must have at most ${MOST_NAMES} names` }),
    IsString({ each: true, message: `${key} must be a list of names` }),
    MayBeAbsent(),
  );

/** The body of `POST /{type}/search` (contract section 7), before names are looked up. */
export class SearchDto {
  /** A trigger. */
  @MayBeAbsent()
  filter?: unknown;

  /** Names of fields, with `-` for descending. */
  @MayBeAbsent()
  @IsString({ each: true, message: 'sort must be a list of names' })
  @ArrayMaxSize(MOST_SORTS, { message: `sort must have at most ${MOST_SORTS} names` })
  @IsArray({ message: 'sort must be a list of names' })
  sort?: string[];

  @NameList('properties')
  properties?: string[];

  /** References to show as the records that they name. */
  @NameList('expand')
  expand?: string[];

  @MayBeAbsent()
  @IsBoolean({ message: 'archived must be true or false' })
  archived?: boolean;

  @MayBeAbsent()
  @Max(PAGE_ROWS, { message: `limit must be an integer from 1 to ${PAGE_ROWS}` })
  @Min(1, { message: `limit must be an integer from 1 to ${PAGE_ROWS}` })
  @IsInt({ message: `limit must be an integer from 1 to ${PAGE_ROWS}` })
  limit?: number;

  /** `next` of the page before; null as for the first page. */
  @MayBeNull()
  @MaxLength(MOST_CURSOR, { message: NO_CURSOR })
  @MinLength(1, { message: NO_CURSOR })
  @IsString({ message: NO_CURSOR })
  after?: string | null;

  @MayBeAbsent()
  @IsBoolean({ message: 'count must be true or false' })
  count?: boolean;
}

import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { MayBeAbsent } from '../validation/decorators.js';

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

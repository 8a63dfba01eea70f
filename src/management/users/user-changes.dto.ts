import { PartialType } from '@nestjs/mapped-types';
import { UserDto } from '../../directory/index.js';

/** The body of `PATCH /users/{id}`: what it leaves out stays as it is. */
export class UserChangesDto extends PartialType(UserDto, { skipNullProperties: false }) {}

import { IsIn } from 'class-validator';
import { IsEmailAddress } from '../../validation/email-key.decorator.js';
import { IsStorableText } from '../../validation/decorators.js';
import { ROLES, type Role } from '../scope.js';

const IsRole = (): PropertyDecorator =>
  IsIn(ROLES, { message: `$property must be one of ${ROLES.join(', ')}` });

/** A member in the configuration file, and the body of `POST /members`. */
export class MemberDto {
  @IsEmailAddress()
  email!: string;

  @IsRole()
  role!: Role;
}

/** A group of the provider whose people have a role, in the configuration file. */
export class GroupRoleDto {
  @IsStorableText(200)
  group!: string;

  @IsRole()
  role!: Role;
}

import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';

/** The body of `POST /dispatch/router` (clause 4.6). */
export class DispatchDto {
  @ApiProperty({ format: 'uuid', description: 'A router of the account' })
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @ApiProperty({ format: 'uuid', description: "An active record of the router's object type" })
  @IsString({ message: 'object_id must be a string' })
  @IsNotEmpty({ message: 'object_id is required' })
  object_id!: string;
}

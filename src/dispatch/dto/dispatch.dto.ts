import { IsNotEmpty, IsString } from 'class-validator';

/** The body of `POST /dispatch/router` (clause 4.6). */
export class DispatchDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @IsString({ message: 'object_id must be a string' })
  @IsNotEmpty({ message: 'object_id is required' })
  object_id!: string;
}

import { ArrayMaxSize, ArrayMinSize, IsArray, IsNotEmpty, IsString } from 'class-validator';

/** The body of `POST /dispatch/router` (clause 4.6). */
export class DispatchDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @IsString({ message: 'object_id must be a string' })
  @IsNotEmpty({ message: 'object_id is required' })
  object_id!: string;
}

/** The body of `POST /dispatch/batch` (contract section 6). */
export class DispatchBatchDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @IsString({ each: true, message: 'object_ids must be strings' })
  @ArrayMinSize(1, { message: 'object_ids must name 1 to 100 objects' })
  @ArrayMaxSize(100, { message: 'object_ids must name 1 to 100 objects' })
  @IsArray({ message: 'object_ids must be an array of strings' })
  object_ids!: string[];
}

import { IsInt, Max, Min } from 'class-validator';
import { IsStorableText, MayBeNull } from '../../validation/decorators.js';

const NUMBER = { message: 'version must be the number of a version' };

/** The body of `POST /routers/{id}/publish`. */
export class PublishDto {
  @MayBeNull()
  @IsStorableText(1000)
  note?: string | null;
}

/** The body of `POST /routers/{id}/rollback`. */
export class RollbackDto {
  @IsInt(NUMBER)
  @Min(1, NUMBER)
  @Max(2 ** 31 - 1, NUMBER)
  version!: number;
}

import { NameList } from '../name-list.decorator.js';
import { BatchDto } from './batch.dto.js';

/** The body of `POST /{type}/batch/read` (contract section 7), before inputs and names are looked at. */
export class BatchReadDto extends BatchDto {
  /** References to show as the records that they name. */
  @NameList('expand')
  expand?: string[];
}

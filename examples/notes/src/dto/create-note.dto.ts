import { ApiProperty } from '@nestjs/swagger';
import { IsStorableText } from 'fairlead';

/** The body of `POST /contacts/:contactId/notes`. */
export class CreateNoteDto {
  @ApiProperty({ minLength: 1, maxLength: 2000 })
  @IsStorableText(2000)
  text!: string;
}

import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  Client,
  limit,
  offset,
  QueryParameters,
  RequireScope,
  ValidatedBodyPipe,
  type ClientContext,
  type Page,
  type PageRange,
} from 'fairlead';
import { CreateNoteDto } from './dto/create-note.dto.js';
import type { NoteView } from './note-view.js';
import { NotesService } from './notes.service.js';

@ApiTags('Notes')
@Controller('contacts/:contactId/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @RequireScope('records:read')
  @ApiOperation({ summary: 'List the notes of one contact', operationId: 'listNotes' })
  @ApiErrors(400, 401, 403, 404)
  list(
    @Client() client: ClientContext,
    @Param('contactId') contactId: string,
    @QueryParameters({ limit, offset }) range: PageRange,
  ): Promise<Page<NoteView>> {
    return this.notes.list(client, contactId, range);
  }

  @Post()
  @RequireScope('records:write')
  @ApiOperation({ summary: 'Write a note on one contact', operationId: 'createNote' })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  create(
    @Client() client: ClientContext,
    @Param('contactId') contactId: string,
    @Body(ValidatedBodyPipe) { text }: CreateNoteDto,
    @QueryParameters({}) _query: object,
  ): Promise<NoteView> {
    return this.notes.create(client, contactId, text);
  }

  /** Closes a note, as the DELETE of a record archives it: it stays in the list. */
  @Delete(':noteId')
  @HttpCode(200)
  @RequireScope('records:write')
  @ApiOperation({ summary: 'Close one note', operationId: 'closeNote' })
  @ApiErrors(400, 401, 403, 404)
  close(
    @Client() client: ClientContext,
    @Param('contactId') contactId: string,
    @Param('noteId') id: string,
    @QueryParameters({}) _query: object,
  ): Promise<NoteView> {
    return this.notes.close(client, contactId, id);
  }
}

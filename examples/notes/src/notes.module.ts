import { Module } from '@nestjs/common';
import { NotesController } from './notes.controller.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

/** Exports what the hooks inject. */
@Module({
  controllers: [NotesController],
  providers: [NotesRepository, NotesService],
  exports: [NotesRepository],
})
export class NotesModule {}

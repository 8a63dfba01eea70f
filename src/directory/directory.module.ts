import { Module } from '@nestjs/common';
import { AbsencesCheck } from './absences.check.js';
import { DirectoryRepository } from './directory.repository.js';

@Module({ providers: [AbsencesCheck, DirectoryRepository], exports: [DirectoryRepository] })
export class DirectoryModule {}

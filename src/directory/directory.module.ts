import { Module } from '@nestjs/common';
import { DirectoryRepository } from './directory.repository.js';

@Module({ providers: [DirectoryRepository], exports: [DirectoryRepository] })
export class DirectoryModule {}

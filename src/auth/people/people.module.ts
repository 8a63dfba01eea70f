import { Module } from '@nestjs/common';
import { ConsoleSite } from './console-site.js';
import { PeopleRepository } from './people.repository.js';

@Module({ providers: [ConsoleSite, PeopleRepository], exports: [ConsoleSite, PeopleRepository] })
export class PeopleModule {}

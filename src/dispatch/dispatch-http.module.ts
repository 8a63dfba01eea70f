import { Module } from '@nestjs/common';
import { DispatchController } from './dispatch.controller.js';
import { DispatchModule } from './dispatch.module.js';

/** The routes of the room. */
@Module({ imports: [DispatchModule], controllers: [DispatchController], exports: [DispatchModule] })
export class DispatchHttpModule {}

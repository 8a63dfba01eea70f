import { Injectable, type CanActivate } from '@nestjs/common';
import { ConsoleSite } from '../auth/index.js';
import { notFound } from '../errors/errors.js';

/** Guards the routes of the console. Throws 404 where it is off. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(private readonly site: ConsoleSite) {}

  canActivate(): true {
    if (!this.site.isOn) throw notFound('Not found');
    return true;
  }
}

import { Injectable } from '@nestjs/common';
import { nameKey } from '../../../text/canonical-text.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { RouterContents } from '../../routers/router-contents.js';
import { shownContent } from '../../routers/router-drafts.js';
import { RouterPublisher } from '../../routers/router-publisher.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the routers that `routers` leaves out. */
@Injectable()
export class RoutersPruner implements Pruner {
  constructor(
    private readonly contents: RouterContents,
    private readonly publisher: RouterPublisher,
  ) {}

  async prune(change: ConfigurationChange, { routers }: AccountDto): Promise<void> {
    if (routers === undefined) return;
    const named = new Set(routers.map(({ name }) => nameKey(name)));
    const around = await this.contents.load(change);
    const { id, name } = change.author;
    for (const router of around.routers) {
      if (named.has(nameKey(shownContent(router).name))) continue;
      await this.publisher.archive(change, { router, around }, id ?? name);
    }
  }
}

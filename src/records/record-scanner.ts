import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { ConfigurationCache } from '../configuration/index.js';
import { Database } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { PAGE_ROWS } from '../paging/index.js';
import { listRecords } from './record-pages.js';
import { shownViews } from './record-view.js';

/** All records of a type. */
export interface RecordScan {
  readonly objectType: ObjectType;
  /** Properties to show beside the default fields, which exist. */
  readonly properties: readonly string[];
  /** Whether archived records are among them. */
  readonly archived: boolean;
}

/** Reads all records of a type, page by page. */
@Injectable()
export class RecordScanner {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
  ) {}

  /**
   * Returns the views of records as JSON texts, in creation order, a page at a time. No page has more than
   * 10 MiB, but for one record that is larger. Each page is of its own instant.
   */
  async *pages(
    account: AccountContext,
    { objectType, properties, archived }: RecordScan,
  ): AsyncGenerator<readonly string[]> {
    let behind: string | undefined;
    for (let more = true; more;) {
      const shown = await this.configurations.use(account, ({ catalog }) =>
        shownViews(objectType, properties, catalog.userFieldNames(objectType)),
      );
      const asked = { ...shown, limit: PAGE_ROWS, offset: 0, archived, behind, counts: false };
      const page = await listRecords(this.database.for(account), account, asked);
      if (page.views.length > 0) yield page.views;
      behind = page.ids.at(-1);
      more = page.more && behind !== undefined;
    }
  }
}

import type { RouterPublisher } from './router-version.entity.js';
import type { ListedVersion } from './router-versions.repository.js';
import type { RouterView } from './router-view.js';

/** A version in the list of a router's versions (contract section 6). */
export interface RouterVersionView {
  readonly version: number;
  readonly published_at: string;
  /** Null for what was live before routers had versions. */
  readonly published_by: RouterPublisher | null;
  readonly note: string | null;
}

/** One version, with the router as it was. */
export interface RouterVersionItem extends RouterVersionView {
  readonly router: RouterView;
}

export function routerVersionView(row: ListedVersion): RouterVersionView {
  const { version, publishedAt, publishedBy, note } = row;
  return { version, published_at: publishedAt.toISOString(), published_by: publishedBy, note };
}

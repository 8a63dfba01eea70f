import type { DatabasePlace } from './database-server.js';

/** Says where a database is, for messages: without its user and its password. */
export function whereDatabase({ url, dataDir }: DatabasePlace): string {
  if (url === undefined) return `in ${dataDir} (DATA_DIR)`;
  const { host, pathname } = new URL(url);
  return `at ${decodeURIComponent(host)}${decodeURIComponent(pathname)} (DATABASE_URL)`;
}

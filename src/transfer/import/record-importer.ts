import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { invalid } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { Columns } from '../rows/columns.js';
import type { Rejection, SourceRow } from '../rows/source-row.js';
import { ChunkImporter, type ImportCounts, type ImportTarget } from './chunk-importer.js';
import { RowRouter } from './row-router.js';

/** What is imported, as it is asked for. */
export interface ImportRequest {
  readonly objectType: ObjectType;
  /** A unique key of the type, or `id`. */
  readonly key: string;
  /** Fields by heading; an empty one ignores the column. */
  readonly map: ReadonlyMap<string, string>;
  /** Name of a router that runs on each record once. */
  readonly router?: string | undefined;
  readonly dryRun: boolean;
}

/** An import that can begin: nothing is wrong with the request. */
export interface PreparedImport {
  readonly columns: Columns;
  readonly target: ImportTarget;
}

/** The rows of an import, and who is told how it goes on. */
export interface ImportRun {
  readonly rows: AsyncIterable<SourceRow>;
  readonly counts: ImportCounts;
  /** Called after some rows with those of them that are refused, in the order of the file. */
  readonly onChunk: (rejections: readonly Rejection[]) => Promise<void>;
  /** Ends the import after the rows that it is about to write. */
  readonly signal: AbortSignal;
}

/** Imports rows of a file as records (contract section 7). */
@Injectable()
export class RecordImporter {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly router: RowRouter,
    private readonly chunks: ChunkImporter,
  ) {}

  /** @throws DomainError for a key, a map or a router that is wrong */
  async prepare(
    client: ClientContext,
    { objectType, key, map, router, dryRun }: ImportRequest,
  ): Promise<PreparedImport> {
    const keys = [...OBJECT_TYPE_RULES[objectType].uniqueKeys, 'id'];
    if (!keys.includes(key))
      throw invalid([{ message: `--key of ${objectType} must be ${keys.join(' or ')}` }]);
    const columns = await this.configurations.use(client, ({ catalog }) =>
      Promise.resolve(
        new Columns({
          fields: catalog.all(objectType).map(({ internalName }) => internalName),
          isManaged: (name) => catalog.isSystemManaged(objectType, name),
          key,
          map,
        }),
      ),
    );
    const found = router === undefined ? undefined : await this.router.find(client, router, objectType);
    return { columns, target: { objectType, property: key, router: found, dryRun } };
  }

  /**
   * Imports rows. What it has done is in `counts`, also where it fails.
   * @returns whether all rows were read
   * @throws what is no fault of a row. The same import again does what is left.
   */
  async run(client: ClientContext, target: ImportTarget, run: ImportRun): Promise<boolean> {
    const { rows, counts, onChunk, signal } = run;
    for await (const chunk of inChunks(rows)) {
      await onChunk(await this.chunks.take(client, target, { rows: chunk, counts }));
      if (signal.aborted) return false;
    }
    return true;
  }
}

/** The most rows of a chunk, and the bytes from which on it has no further row. */
const MOST = { rows: 500, bytes: 4 * 1024 * 1024 };

/** Puts rows together that are looked up and written at once. */
export async function* inChunks(rows: AsyncIterable<SourceRow>): AsyncGenerator<readonly SourceRow[]> {
  let chunk: SourceRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    chunk.push(row);
    bytes += row.bytes;
    if (chunk.length < MOST.rows && bytes < MOST.bytes) continue;
    yield chunk;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield chunk;
}

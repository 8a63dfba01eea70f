import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { invalid } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { RecordMatcher } from '../../records/index.js';
import { didYouMean } from '../../text/nearest-name.js';
import { shownName } from '../../text/shown-name.js';
import { Columns } from '../rows/columns.js';
import { inUtf8 } from '../rows/in-utf8.js';
import { readCsv, type CsvReading } from '../rows/read-csv.js';
import { readNdjson } from '../rows/read-ndjson.js';
import type { Rejection, RowSource, SourceRow } from '../rows/source-row.js';
import { DateReader } from '../values/date-reader.js';
import { OwnerNames } from '../values/owner-names.js';
import type { DecimalMark } from '../values/read-number.js';
import { ChunkImporter } from './chunk-importer.js';
import { noCounts, type ImportCounts, type ImportTarget } from './imported-row.js';
import { presetOf, type Preset } from './presets.js';
import { RowRouter } from './row-router.js';
import { SeenKeys } from './seen-keys.js';

/** What a file is, as it is asked for. */
export interface FileRules extends Partial<Omit<CsvReading, 'columns'>> {
  /** Fields by heading; an empty one ignores the column. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** Texts of fields that are the same in all rows. */
  readonly set?: ReadonlyMap<string, string> | undefined;
  readonly preset?: Preset | undefined;
  /** Ignores columns of which nothing is known. */
  readonly ignoreUnknown?: boolean | undefined;
  /** Fields whose bad values are left out, in place of their rows. */
  readonly skipInvalid?: readonly string[] | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly dateFormat?: string | undefined;
  readonly timezone?: string | undefined;
}

/** What is imported, as it is asked for. */
export interface ImportRequest extends FileRules {
  readonly format: 'csv' | 'ndjson';
  readonly objectType: ObjectType;
  /** A unique key of the type, or `id`. */
  readonly key: string;
  /** Name of a router that runs on each record once. */
  readonly router?: string | undefined;
  readonly dryRun: boolean;
}

/** An import that can begin: nothing is wrong with the request, nor with the headings. */
export interface OpenImport {
  readonly source: RowSource;
  readonly columns: Columns;
  readonly target: ImportTarget;
  /** What it has done so far, also where it has failed. */
  readonly counts: ImportCounts;
  /** How many values are left out, by field. */
  readonly skipped: Map<string, number>;
}

/** What a column of a file becomes. */
export interface MappedColumn {
  /** Its heading; null for a field that --set sets. */
  readonly column: string | null;
  /** Null for a column that is ignored. */
  readonly field: string | null;
  /** What is stored of the first rows, or why it is not; empty where the field is not set. */
  readonly values: readonly string[];
}

type BinaryFile = AsyncIterable<Buffer>;
type OnMapping = (mapping: readonly MappedColumn[]) => Promise<void>;

/** Rows that are shown of a file. */
const MOST_SHOWN = 3;

/** Imports rows of a file as records (contract section 7). */
@Injectable()
export class RecordImporter {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly matcher: RecordMatcher,
    private readonly router: RowRouter,
    private readonly chunks: ChunkImporter,
  ) {}

  /** @throws DomainError for what cannot be as it is asked for, such as a key, a map, a router or headings */
  async open(client: ClientContext, request: ImportRequest, file: BinaryFile): Promise<OpenImport> {
    const { objectType, key, router: name, dryRun, skipInvalid = [] } = request;
    const keys = [...OBJECT_TYPE_RULES[objectType].uniqueKeys, 'id'];
    if (!keys.includes(key))
      throw invalid([{ message: `--key of ${objectType} must be ${keys.join(' or ')}` }]);
    const columns = await this.configurations.use(client, (configuration) =>
      columnsOf(configuration, request),
    );
    const skipped = new Set(skipInvalid.flatMap((each) => columns.fieldNamed(each) ?? []));
    const router = name === undefined ? undefined : await this.router.find(client, name, objectType);
    const target = { objectType, property: key, router, dryRun, skipInvalid: skipped };
    const { clearEmpty = false, encoding, skipLines } = request;
    const source =
      request.format === 'csv'
        ? await readCsv(file, { columns, clearEmpty, encoding, skipLines })
        : readNdjson((await inUtf8(file)).chunks, columns);
    return { source, columns, target, counts: noCounts(), skipped: new Map() };
  }

  /**
   * Imports rows.
   * @param onMapping called before the first chunk, where it is wanted, with what the columns become
   * @returns after each chunk, those of its rows that are refused, in the order of the file
   * @throws what is no fault of a row. The same import again does what is left.
   */
  async *run(client: ClientContext, opened: OpenImport, onMapping?: OnMapping): AsyncGenerator<Rejection[]> {
    const { source, target, counts, skipped } = opened;
    const seen = new SeenKeys();
    let tell = onMapping;
    for await (const rows of inChunks(source.rows)) {
      await tell?.(await this.mapping(client, opened, rows));
      tell = undefined;
      yield await this.chunks.take(client, target, { rows, counts, skipped, seen });
    }
    await tell?.(await this.mapping(client, opened, []));
  }

  /** Says what the columns of a file become. @param first its first rows */
  private async mapping(client: ClientContext, opened: OpenImport, first: readonly SourceRow[]) {
    const { columns, target } = opened;
    const shown = first.flatMap((row) => ('problem' in row ? [] : [row])).slice(0, MOST_SHOWN);
    const stored = await this.matcher.preview(client, target.objectType, shown);
    const mapped = (column: string | null, field: string): MappedColumn => {
      const values = shown.map(({ unread = [] }, index) => {
        const problem = unread.find((each) => each.field === field);
        return problem?.message ?? stored[index]?.get(field) ?? '';
      });
      return { column, field, values };
    };
    const found = [...columns.met].map(([column, use]): MappedColumn => {
      if (typeof use === 'object') return mapped(column, use.field);
      if (use === 'id') return { column, field: use, values: shown.map(({ key }) => String(key)) };
      return { column, field: null, values: [] };
    });
    return [...found, ...[...columns.constants.keys()].map((field) => mapped(null, field))];
  }
}

/** @throws DomainError 400 for what names no field, and where bad values of the key were to be left out */
function columnsOf({ catalog, directory }: AccountConfiguration, request: ImportRequest): Columns {
  const { objectType, key, map, set, preset, ignoreUnknown, skipInvalid = [] } = request;
  const { dateFormat: format, timezone, decimal } = request;
  const dates = (format ?? timezone) ? new DateReader({ format, timezone }) : undefined;
  const columns = new Columns({
    fields: catalog.all(objectType),
    isManaged: (name) => catalog.isSystemManaged(objectType, name),
    ...{ key, map, ignoreUnknown },
    preset: preset && presetOf(preset, objectType),
    constants: set,
    cells: { decimal, dates, owners: new OwnerNames(directory) },
  });
  const names = catalog.all(objectType).map(({ internalName }) => internalName);
  const wrong = skipInvalid.flatMap((name) => {
    const field = columns.fieldNamed(name);
    if (name === key || field === key) return [{ message: `--skip-invalid must not have the key ${key}` }];
    if (field !== undefined) return [];
    return [{ message: `Unknown field: --skip-invalid ${shownName(name)}${didYouMean(name, names)}` }];
  });
  if (wrong.length > 0) throw invalid(wrong);
  return columns;
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

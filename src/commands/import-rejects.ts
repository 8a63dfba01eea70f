import { open, realpath, type FileHandle } from 'node:fs/promises';
import type { Rejection, RowSource } from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { fileFailure } from './files.js';

/** Most rejections that are shown. */
const MOST_SHOWN = 20;

/** The rows that an import refuses: the first of them, and all in a file, where one is wanted. */
export class ImportRejects {
  readonly shown: { readonly line: number; readonly message: string }[] = [];
  private count = 0;

  private constructor(
    private readonly source: Pick<RowSource, 'rejected'>,
    private readonly file: FileHandle | undefined,
  ) {}

  /**
   * Begins a file, in place of the one that there may be.
   * @param paths `rejects`: undefined for no file; `file`: what is imported
   * @throws Error when it cannot be written, or is the one that is imported
   */
  static async begin(
    { located }: CommandContext,
    source: RowSource,
    { rejects, file }: { readonly rejects: string | undefined; readonly file: string },
  ): Promise<ImportRejects> {
    if (rejects === undefined) return new ImportRejects(source, undefined);
    const [one, other] = await Promise.all(
      [rejects, file].map((path) => realpath(located(path)).catch(() => null)),
    );
    if (one !== null && one === other) throw new Error(`--rejects must not be the file that is imported`);
    try {
      const handle = await open(located(rejects), 'w');
      await handle.writeFile(source.heading);
      return new ImportRejects(source, handle);
    } catch (error) {
      throw fileFailure('write', rejects, error);
    }
  }

  /** How many are not shown. */
  get omitted(): number {
    return this.count - this.shown.length;
  }

  async add(rejections: readonly Rejection[]): Promise<void> {
    this.count += rejections.length;
    for (const rejection of rejections) {
      const { row, message } = rejection;
      if (this.shown.length < MOST_SHOWN) this.shown.push({ line: row.line, message });
      await this.file?.writeFile(this.source.rejected(rejection));
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}

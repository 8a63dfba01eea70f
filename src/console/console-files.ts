import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ConsoleSite } from '../auth/index.js';
import { packageFolder } from '../settings/package.js';

/** A file of the console, and how it is sent. */
interface ConsoleFile {
  /** Its extension, such as `.js`. */
  readonly type: string;
  readonly body: Buffer;
  /** The same, compressed with brotli, where the build has made it. */
  readonly brotli: Buffer | undefined;
  /** Whether a file of that path never has another content: its name has a hash of it. */
  readonly isHashed: boolean;
}

const PAGE = 'index.html';
const HASHED = 'assets/';
const BROTLI = '.br';

/** The built console, which is read once: some 2 MB. */
@Injectable()
export class ConsoleFiles {
  private readonly files = new Map<string, ConsoleFile>();

  constructor(private readonly site: ConsoleSite) {
    if (site.isOn) this.read(join(packageFolder(), 'dist', 'console'));
  }

  /** Reads the files of a folder, if there is one. Those whose name begins with a dot are of the build. */
  read(folder: string): void {
    this.files.clear();
    const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    const bodies = new Map<string, Buffer>();
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      bodies.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
    }
    for (const [path, body] of bodies) {
      if (path.startsWith('.') || path.endsWith(BROTLI)) continue;
      const [brotli, isHashed] = [bodies.get(path + BROTLI), path.startsWith(HASHED)];
      this.files.set(path, { type: extname(path), body, brotli, isHashed });
    }
  }

  /** Where browsers have the console; undefined where it is off or not built. */
  get path(): string | undefined {
    return this.files.has(PAGE) ? `${this.site.prefix ?? ''}/console/` : undefined;
  }

  /** Returns the file with a path; undefined where there is none, or where the path is that of a page. */
  file(path: string): ConsoleFile | undefined {
    return path === PAGE ? undefined : this.files.get(path);
  }

  /**
   * Returns the page, which shows what a path of the console names; undefined for the path of a file that is
   * missing, and where the console is not built.
   * @param base the path of the console as browsers have it
   * @param nonce by which the page may make styles
   */
  page(path: string, { base, nonce }: { readonly base: string; readonly nonce: string }): string | undefined {
    if (path.startsWith(HASHED) || /^[^/]+\.\w+$/.test(path.replace(PAGE, ''))) return undefined;
    const escaped = base.replace(/["<>&]/g, encodeURIComponent);
    return this.files
      .get(PAGE)
      ?.body.toString('utf8')
      .replaceAll('__BASE__', () => escaped)
      .replaceAll('__CSP_NONCE__', nonce);
  }
}

import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** The most that a browser loads, compressed: kB of the first page, and of any page that is opened later. */
const FIRST_SCRIPT = 300;
const FIRST_STYLE = 40;
const PAGE = 60;

/** Fails a build that is heavier than people are to wait for, and says what it weighs. */
export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const isOf = (folder: string) =>
        chunks.filter(({ facadeModuleId }) => facadeModuleId?.includes(folder) === true);
      const first = filesWith(
        [...chunks.filter(({ isEntry }) => isEntry), ...isOf('/src/words/en/')],
        bundle,
      );
      const script = weight(first, '.js', bundle);
      const style = weight(first, '.css', bundle);
      console.log(`first load: ${script} kB of script, ${style} kB of styles, compressed`);
      if (script > FIRST_SCRIPT)
        this.error(`The first load has ${script} kB of script: at most ${FIRST_SCRIPT}`);
      if (style > FIRST_STYLE) this.error(`The first load has ${style} kB of styles: at most ${FIRST_STYLE}`);
      for (const page of isOf('/src/pages/')) {
        const own = new Set([...filesWith([page], bundle)].filter((file) => !first.has(file)));
        const total = weight(own, '', bundle);
        if (total > PAGE) this.error(`${page.fileName} brings ${total} kB: at most ${PAGE}`);
      }
    },
  };
}

/** The files that are loaded with some chunks: those that they import, and the styles of all. */
function filesWith(chunks: readonly Rollup.OutputChunk[], bundle: Rollup.OutputBundle): Set<string> {
  const found = new Set<string>();
  const add = (chunk: Rollup.OutputChunk): void => {
    if (found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') add(imported);
    }
  };
  chunks.forEach(add);
  return found;
}

function weight(files: ReadonlySet<string>, ending: string, bundle: Rollup.OutputBundle): number {
  const sizes = [...files].map((name) => {
    const file = bundle[name];
    if (file === undefined || !name.endsWith(ending)) return 0;
    return gzipSync(file.type === 'chunk' ? file.code : file.source).length;
  });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000);
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Fails a build where a component of Mantine is used whose styles are not loaded. */
export function styles(): Plugin {
  const root = dirname(import.meta.dirname);
  const loaded = readFileSync(join(root, 'src/app/styles.ts'), 'utf8');
  return {
    name: 'styles',
    apply: 'build',
    transform(code, id) {
      const imported = /import\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"]/.exec(code)?.[1] ?? '';
      for (const name of id.includes('node_modules') ? [] : imported.split(',').map((each) => each.trim())) {
        const file = `@mantine/core/styles/${name}.css`;
        if (existsSync(join(root, 'node_modules', file)) && !loaded.includes(file)) {
          this.error(`${name} is used, and ${file} is not in src/app/styles.ts`);
        }
      }
    },
  };
}

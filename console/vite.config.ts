import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { budget } from './build/budget.ts';
import { compress } from './build/compress.ts';
import { styles } from './build/styles.ts';

/** The service that `npm run dev` sends requests to. */
const SERVICE = process.env.FAIRLEAD ?? 'http://localhost:3000';

/** What the service fills in where it serves the built page. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('__BASE__', '/console/').replace('__CSP_NONCE__', ''),
};

export default defineConfig(({ command }) => ({
  // Relative: the console works behind any prefix, which <base href> names.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), placeholders, styles(), budget(), compress()],
  logLevel: command === 'build' ? 'warn' : 'info',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The policy of the page allows no script and no style that is not a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '^/(?!console/(?!session|oidc))': { target: SERVICE } } },
}));

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const at = (path: string) => resolve(import.meta.dirname, path);

/** Parts with their own wasm or data files stay packages; everything else is bundled, so that a start reads few files. */
const keptPackages = [
  'electron',
  'keytar',
  '@audio/decode',
  'audio-type',
  'mediabunny',
  '@mediabunny/flac-encoder',
  'pitchy',
  'signalsmith-stretch',
  'wasm-media-encoders',
];

const pageSource = at('src/renderer/src');
const components = readdirSync(pageSource, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.svelte'))
  .sort();

/**
 * Scope classes by number: thousands of random ones do not compress. The number is the place among all components, so that a
 * build can be repeated. A component that was added since, or is not ours, gets the usual hash.
 */
function cssHash({ filename, css, hash }: { filename: string; css: string; hash: (input: string) => string }): string {
  const place = components.indexOf(relative(pageSource, resolve(import.meta.dirname, filename)));
  return place < 0 ? `svelte-${hash(css)}` : `s-${place.toString(36)}`;
}

/** What is imported late has nothing to load ahead of it: there is one style sheet, and the page has all that it shares. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id: string) =>
    id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : undefined,
} as const;

/** Moves the style sheet behind the first frame, which has its own styles and must not wait for these. */
const styleSheetLast = {
  name: 'style-sheet-last',
  transformIndexHtml: {
    order: 'post',
    handler(html: string): string {
      const [link = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      return html.replace(link, '').replace(/\s*<\/body>/, (end) => link + end);
    },
  },
} as const;

export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: at('src/processes/program.ts'),
          app: at('src/main/index.ts'),
          cli: at('src/cli/index.ts'),
          engine: at('src/processes/engine.ts'),
          keychain: at('src/processes/keychain.ts'),
          scanner: at('src/processes/scanner.ts'),
          'voice-worker': at('src/engine/voice-worker.ts'),
          'encode-worker': at('src/engine/encode-worker.ts'),
          'checkpoint-worker': at('src/main/core/database/checkpoint-worker.ts'),
          'baseline-worker': at('src/main/core/watch/baseline-worker.ts'),
          'integrity-worker': at('src/main/core/database/integrity-worker.ts'),
          'list-worker': at('src/main/core/history/list-worker.ts'),
          'statistics-worker': at('src/main/core/history/statistics-worker.ts'),
          'sound-worker': at('src/sound/sound-worker.ts'),
          'inspection-worker': at('src/sound/inspection-worker.ts'),
        },
        external: [...keptPackages, /^node:/],
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Every start would read them.
          comments: { jsdoc: false },
        },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [
      plainImports,
      styleSheetLast,
      svelte({ configFile: at('svelte.config.js'), compilerOptions: { cssHash, discloseVersion: false } }),
    ],
    build: {
      // Everything is a file of our own origin: the content security policy allows nothing else.
      assetsInlineLimit: 0,
      minify: true,
      // From the disk, one file is read as fast as two, and is smaller than both.
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: { index: at('src/renderer/index.html') },
        // Schemas stand beside the constants of their domain. The page parses nothing: it takes no schema, nor valibot. This also drops
        // reads without a use: what an effect only depends on goes through `dependOn`.
        treeshake: { propertyReadSideEffects: false, manualPureFunctions: ['v'] },
        // What the first paint shares with what is loaded later is one file: small ones compress less well.
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
      },
    },
  },
});

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { join } from 'node:path';

const at = (path) => join(import.meta.dirname, path);

export default {
  main: {
    build: {
      externalizeDeps: false,
      outDir: at('out/main'),
      rollupOptions: { input: at('src/main/index.js'), external: ['electron', /^node:/] },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      outDir: at('out/preload'),
      rollupOptions: {
        input: at('src/preload/index.js'),
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [svelte({ configFile: false })],
    build: { outDir: at('out/renderer'), rollupOptions: { input: at('src/renderer/index.html') } },
  },
};

import { resolve } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mts';

/** The fake bridge as one script that runs before the page's own. */
export async function bundleFake(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    build: {
      write: false,
      minify: false,
      lib: { entry: resolve(root, 'tests/fakes/fake-page.ts'), formats: ['iife'], name: 'fakePage' },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunk = outputs
    .flatMap((output) => ('output' in output ? output.output : []))
    .find(({ type }) => type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The fake bridge was not built');
  return chunk.code;
}

import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const source = resolve(import.meta.dirname, 'src/renderer/src');
const components = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.svelte'))
  .sort();

/**
 * Scope classes by number: thousands of random ones do not compress. The number is the place among all components, so that a
 * build can be repeated. A component that was added since, or is not ours, gets the usual hash.
 */
function cssHash({ filename, css, hash }) {
  const place = components.indexOf(relative(source, resolve(import.meta.dirname, filename)));
  return place < 0 ? `svelte-${hash(css)}` : `s-${place.toString(36)}`;
}

export default { preprocess: vitePreprocess(), compilerOptions: { cssHash } };

// `npm run build`. With --if-stale only if a source is newer than the bundles.
import { buildBundles } from './build-bundles.mts';
import { isStale } from './is-stale.mts';

if (!process.argv.includes('--if-stale') || isStale()) buildBundles();

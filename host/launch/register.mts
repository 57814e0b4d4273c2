// Loaded first, with `node --import`: resolves `electron` to index.mts.
import { registerHooks } from 'node:module';

const adapter = new URL('../index.mts', import.meta.url).href;
const electronModules = new Set(['electron', 'electron/main', 'electron/common']);

registerHooks({
  resolve: (specifier, context, next) =>
    electronModules.has(specifier)
      ? { url: adapter, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

// Libraries check these versions to detect Electron's main process.
for (const [name, value] of Object.entries({ electron: '45.5.0', chrome: '156.0.0.0' })) {
  Object.defineProperty(process.versions, name, { value, configurable: true, enumerable: true });
}
Object.assign(process, { type: 'browser', defaultApp: true, resourcesPath: '' });

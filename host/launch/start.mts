// The entry of the host process: finds the app as Electron does, runs its main file, and then emits `ready`.
// Like Electron, it waits for the main module first, including top-level awaits.
import { pathToFileURL } from 'node:url';
import { findEntry } from './entry.mts';

const entry = findEntry(process.argv.slice(2), process.cwd());
if (typeof entry === 'string') {
  process.stderr.write(`host: ${entry}\n`);
  process.exit(64);
}
process.argv.splice(1, process.argv.length, entry.given, ...entry.rest);

const { begin } = await import('../compose.mts');
await import(pathToFileURL(entry.main).href);
begin();

// The command line in a process of Node. An installed Timbre runs it in its own program: src/processes/program.ts.
import { runCommandLine } from './command-line.ts';
import { createForkService } from './fork-service.ts';

const entryFolder = import.meta.dirname;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  entryFolder,
  createSpawnService: (onLine) => createForkService(entryFolder, onLine),
});

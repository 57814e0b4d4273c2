// The main process in Electron: the app, or a command of the command line.
import { app } from 'electron';
import { readCommand } from '../main/electron/open-requests.ts';

// Results on a disk that hangs each hold a thread, of which there are four otherwise: no other disk would be read or written.
// Windows keeps four: there, libuv sees only what was set before the process started.
process.env['UV_THREADPOOL_SIZE'] ??= '32';

const command = readCommand(process.argv);
if (command === null) {
  await import('../main/index.ts');
} else {
  const { runInElectron } = await import('../main/electron/run-in-electron.ts');
  const { createSpawnService } = await import('../main/electron/utility-process.ts');
  const { runCommandLine } = await import('../cli/command-line.ts');
  const entryFolder = import.meta.dirname;
  await runInElectron(
    {
      app,
      platform: process.platform,
      process,
      createSpawnService: (onLine) => createSpawnService(entryFolder, onLine),
    },
    (createServices) => runCommandLine(command, { entryFolder, createSpawnService: createServices }),
  );
}

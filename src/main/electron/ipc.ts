import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { givenPathsChannel } from '../../shared/ipc/client.ts';
import { appOrigin } from '../core/media/app-server.ts';
import type { RequestHandler } from '../core/ipc-server.ts';

/**
 * True only for the top frame of our own page in our own window: no subframe, other origin or
 * destroyed frame.
 */
function isOurPage(event: IpcMainInvokeEvent, isOurWindow: (contentsId: number) => boolean): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.origin === appOrigin && isOurWindow(event.sender.id);
}

interface Served {
  readonly answers: ReadonlyMap<string, RequestHandler>;
  /** Called with the path of each file that the user dropped, pasted or chose in the page. */
  onGivenPath(path: string): void;
  isOurWindow(contentsId: number): boolean;
  /** Called with the number of requests that are not answered yet. */
  onPending(count: number): void;
}

/**
 * Registers each handler on its channel. Other senders get an exception: any reply would confirm
 * that the channel exists.
 */
export function serveIpc(
  ipcMain: Pick<IpcMain, 'handle'>,
  { answers, onGivenPath, isOurWindow, onPending }: Served,
): void {
  let pending = 0;
  const give = (paths: unknown) => {
    for (const path of Array.isArray(paths) ? (paths as readonly unknown[]) : []) {
      if (typeof path === 'string') onGivenPath(path);
    }
  };
  for (const [channel, answer] of [...answers, [givenPathsChannel, give] as const]) {
    ipcMain.handle(channel, (event, input: unknown) => {
      if (!isOurPage(event, isOurWindow)) throw new Error(`${channel}: refused`);
      onPending((pending += 1));
      return Promise.resolve(answer(input)).finally(() => onPending((pending -= 1)));
    });
  }
}

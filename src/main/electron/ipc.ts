import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { givenPathsChannel } from '../../shared/ipc/client.ts';
import { appOrigin } from '../core/media/app-server.ts';
import type { RequestHandler } from '../core/ipc-server.ts';

/** Our own page, itself: no frame inside it, no page of another origin, no window that we did not make, no frame that is gone. */
function isOurPage(event: IpcMainInvokeEvent, isOurWindow: (contentsId: number) => boolean): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.origin === appOrigin && isOurWindow(event.sender.id);
}

interface Served {
  readonly answers: ReadonlyMap<string, RequestHandler>;
  /** Gets the path of each file that a person dropped, pasted or chose in the page. */
  onGivenPath(path: string): void;
  isOurWindow(contentsId: number): boolean;
}

/** Puts each answer behind its channel. A stranger gets an exception: an answer of any form would tell it that it was heard. */
export function serveBridge(ipcMain: Pick<IpcMain, 'handle'>, { answers, onGivenPath, isOurWindow }: Served): void {
  const give = (paths: unknown) => {
    for (const path of Array.isArray(paths) ? (paths as readonly unknown[]) : []) {
      if (typeof path === 'string') onGivenPath(path);
    }
  };
  for (const [channel, answer] of [...answers, [givenPathsChannel, give] as const]) {
    ipcMain.handle(channel, (event, input: unknown) => {
      if (!isOurPage(event, isOurWindow)) throw new Error(`${channel}: refused`);
      return answer(input);
    });
  }
}

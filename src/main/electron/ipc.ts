import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { appOrigin } from '../core/media/app-origin.ts';
import type { Answer } from '../core/bridge/answers.ts';

/** Our own page, itself: no frame inside it, no page of another origin, no window that we did not make, no frame that is gone. */
function isOurPage(event: IpcMainInvokeEvent, isOurWindow: (contentsId: number) => boolean): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.origin === appOrigin && isOurWindow(event.sender.id);
}

/** Puts each answer behind its channel. A stranger gets an exception: an answer of any form would tell it that it was heard. */
export function serveBridge(
  ipcMain: Pick<IpcMain, 'handle'>,
  answers: ReadonlyMap<string, Answer>,
  isOurWindow: (contentsId: number) => boolean,
): void {
  for (const [channel, answer] of answers) {
    ipcMain.handle(channel, (event, input: unknown) => {
      if (!isOurPage(event, isOurWindow)) throw new Error(`${channel}: refused`);
      return answer(input);
    });
  }
}

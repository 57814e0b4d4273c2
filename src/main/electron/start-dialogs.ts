import { app, dialog } from 'electron';
import type { Problem } from '../../shared/errors.ts';
import { loadDesktopMessages } from '../../shared/messages/desktop.ts';
import { loadMessages } from '../../shared/messages/index.ts';
import { problemText } from '../../shared/messages/problem-text.ts';

export async function showStartProblem(problem: Problem): Promise<void> {
  await app.whenReady();
  const messages = await loadMessages(app.getPreferredSystemLanguages());
  const { title, advice } = problemText(messages, problem);
  console.error(messages.format.sentences(messages.format.sentence(title), advice));
  dialog.showErrorBox(title, advice);
}

export async function askForSafeStart(): Promise<boolean> {
  const { dialogs: t } = await loadDesktopMessages(app.getPreferredSystemLanguages());
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: t.safeStart,
    detail: t.safeStartDetail,
    buttons: [t.startSafely, t.startNormally],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

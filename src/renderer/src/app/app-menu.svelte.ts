import { listMenuCommands, runMenuCommand } from './commands.ts';
import type { AppState } from './app-state.svelte.ts';

/** Keeps the application menu up to date, and runs its commands. Call it in an effect. */
export function connectAppMenu(app: AppState): void {
  app.answerMenu((id) => runMenuCommand(app, id));
  let sent = '';
  $effect(() => {
    const commands = listMenuCommands(app);
    // Jobs change many times a second, what can be done seldom.
    const handle = requestIdleCallback(() => {
      const text = JSON.stringify(commands);
      if (text === sent) return;
      sent = text;
      app.setMenu(commands);
    });
    return () => cancelIdleCallback(handle);
  });
}

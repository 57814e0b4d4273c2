import { app, BrowserWindow, protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);

void app.whenReady().then(() => {
  protocol.handle('app', async ({ url }) => {
    const { pathname } = new URL(url);
    const file = pathname === '/' ? '/index.html' : pathname;
    const type = file.endsWith('.js') ? 'text/javascript' : file.endsWith('.css') ? 'text/css' : 'text/html';
    return new Response(await readFile(join(import.meta.dirname, '../renderer', file)), {
      headers: { 'content-type': type },
    });
  });
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    show: false,
    webPreferences: { preload: join(import.meta.dirname, '../preload/index.cjs'), sandbox: true },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL('app://empty/');
  app.on('window-all-closed', () => app.quit());
});

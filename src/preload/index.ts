import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { givenPathsChannel, type Bridge } from '../shared/ipc/client.ts';
import { channelsOf } from '../shared/ipc/define-contract.ts';
import { contract } from '../shared/ipc/contract.ts';
import type { Reply } from '../shared/errors.ts';

const requests: ReadonlySet<string> = new Set(channelsOf(contract, 'request'));
const events: ReadonlySet<string> = new Set(channelsOf(contract, 'event'));

function assertKnown(known: ReadonlySet<string>, channel: string): void {
  if (!known.has(channel)) throw new Error(`${channel} is not in the contract`);
}

/** Paths of files that main does not know yet: a drop of thousands is one message, sent before the request that uses them. */
let given: string[] = [];

/** Transport only: nothing of Electron reaches the page, and a listener never sees the event that brought its payload. */
const bridge: Bridge<File> = {
  invoke(channel, input) {
    assertKnown(requests, channel);
    if (given.length > 0) void ipcRenderer.invoke(givenPathsChannel, given);
    given = [];
    return ipcRenderer.invoke(channel, input) as Promise<Reply<unknown>>;
  },
  subscribe(channel, listener) {
    assertKnown(events, channel);
    const forward = (_event: unknown, payload: unknown) => listener(payload);
    ipcRenderer.on(channel, forward);
    return () => void ipcRenderer.off(channel, forward);
  },
  pathForFile(file) {
    const path = webUtils.getPathForFile(file);
    // Main takes no path that only the page names.
    if (path !== '') given.push(path);
    return path;
  },
};

contextBridge.exposeInMainWorld('bridge', bridge);

const { contextBridge, ipcRenderer, webUtils } = require('electron');

const first = ipcRenderer.invoke('sender').catch((error) => error.message);
const beforePage = !globalThis.pageRan;

contextBridge.exposeInMainWorld('api', {
  beforePage,
  /** What main said to an invoke on the preload's first line. */
  first: () => first,
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  send: (channel, ...args) => ipcRenderer.send(channel, ...args),
  on: (channel, listener) => {
    const wrapper = (_event, ...args) => listener(...args);
    ipcRenderer.on(channel, wrapper);
    return () => ipcRenderer.off(channel, wrapper);
  },
  once: (channel, listener) => void ipcRenderer.once(channel, (_event, ...args) => listener(...args)),
  pathOf: (file) => webUtils.getPathForFile(file),
  give: (value) => value,
  callBack: (listener) => listener(1),
  sendSync: () => ipcRenderer.sendSync('x'),
  nested: { deep: { date: new Date(5) } },
});

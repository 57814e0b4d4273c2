import { createFakeBridge, type FakeBridge } from './fake-bridge.ts';
import { scenes, type SceneName } from './scenes.ts';

/** Put before the page's own script by whoever takes the pictures: chooses the scene that main would tell. */
declare global {
  interface Window {
    readonly timbreScene: SceneName;
    bridge: FakeBridge;
  }
}

window.bridge = createFakeBridge(scenes[window.timbreScene]);

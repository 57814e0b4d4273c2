import { createFakeBridge, type FakeBridge } from './fake-bridge.ts';
import { scenes, type SceneName } from './scenes.ts';

/** Runs before the page's own script and provides the bridge of the chosen scene. */
declare global {
  interface Window {
    readonly timbreScene: SceneName;
    bridge: FakeBridge;
  }
}

window.bridge = createFakeBridge(scenes[window.timbreScene]);

import { createClient } from '../../../shared/ipc/client.ts';
import { contract } from '../../../shared/ipc/contract.ts';
import { empty } from '../../../../tests/fakes/base-scene.ts';
import { createFakeBridge, type FakeBridge, type Scene } from '../../../../tests/fakes/fake-bridge.ts';
import type { Api } from './api.ts';

/** The page's api over the fake backend of the screenshots, with an empty scene and the given changes. */
export function createFakeApi(change: Partial<Scene> = {}): { readonly api: Api; readonly bridge: FakeBridge } {
  const bridge = createFakeBridge({ ...empty, ...change });
  return { api: createClient(contract, bridge), bridge };
}

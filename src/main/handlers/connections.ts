import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../shared/errors.ts';
import { documentFaults, newDocument, type TokenState, localConnectionId } from '../../shared/schemas/connection.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Handlers } from '../../shared/ipc/define-contract.ts';
import type { Clock } from '../core/clock.ts';
import { enterToken } from '../core/connections/connection-registry.ts';
import type { Core } from '../core/core.ts';
import { originsOf } from '../core/voice-service/address.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Dialogs } from './dialogs.ts';

interface Dependencies
  extends
    Pick<Dialogs, 'chooseDocument' | 'chooseNewDocument'>,
    Pick<Core, 'connections' | 'secrets' | 'data' | 'queue' | 'signal'> {
  readonly settings: () => Promise<SettingsStore>;
  readonly clock: Clock;
}

export function createConnectionHandlers(dependencies: Dependencies): Handlers<Contract>['connections'] {
  const { connections, secrets, data, queue, settings, clock, signal, chooseDocument, chooseNewDocument } =
    dependencies;

  /** Only stored connections have a token and can be removed; the local engine cannot. */
  function assertStored(id: string): void {
    if (connections.get(id).kind === 'local')
      throw new AppError('request/invalid', `connection ${id} is this computer`);
  }

  async function tokenState(id: string): Promise<TokenState> {
    const place = await secrets.placeOf(id);
    const entered = (await secrets.get(id))?.origins ?? [];
    const { hosts } = connections.get(id).document;
    return {
      place,
      keychainProblem: await secrets.keychainProblem(),
      canBeInFile: secrets.hasFiles,
      otherOrigins: place === null ? [] : originsOf(hosts).filter((origin) => !entered.includes(origin)),
      isRemovalPending: await secrets.isRemovalPending(id),
    };
  }

  return {
    // Waits for the stored connections; if the database cannot be opened, the list has only the
    // local engine.
    list: async () => {
      await data().catch(() => undefined);
      return connections.list();
    },
    async importFile() {
      const path = await chooseDocument();
      if (path === null) return null;
      const { connectionStore } = await data();
      const { readDocument } = await import('../core/connections/connection-file.ts');
      const connection = connectionStore.save(null, await readDocument(path));
      connections.upsert(connection);
      return connections.getInfo(connection.id);
    },
    getDocument({ id }) {
      if (id === null) return newDocument();
      assertStored(id);
      return connections.get(id).document;
    },
    async save({ id, document }) {
      const fields = documentFaults(document).map(({ field }) => field);
      if (fields.length > 0) return { kind: 'invalid', fields };
      if (id !== null) assertStored(id);
      const { connectionStore, voiceCache } = await data();
      const before = id === null ? null : connections.get(id).document.hosts;
      const connection = connectionStore.save(id, document);
      if (before && !isDeepStrictEqual(before, connection.document.hosts)) voiceCache.forget(connection.id);
      connections.upsert(connection);
      return { kind: 'saved', connection: connections.getInfo(connection.id) };
    },
    async exportFile({ id }) {
      assertStored(id);
      const { document } = connections.get(id);
      const path = await chooseNewDocument(`${document.name}.json`);
      if (path === null) return false;
      const { replaceText } = await import('../core/files/replace-file.ts');
      await replaceText(path, `${JSON.stringify(document, null, 2)}\n`);
      return true;
    },
    async remove({ id }) {
      assertStored(id);
      const { connectionStore } = await data();
      connectionStore.remove(id);
      connections.remove(id);
      try {
        const store = await settings();
        if (store.get().connectionId === id) store.update({ connectionId: localConnectionId });
      } finally {
        // Without its connection, the user could not remove it any more.
        await secrets.clear(id);
      }
    },
    async test({ id }) {
      const { testConnection } = await import('../core/connections/test-connection.ts');
      const { firstVoicePage } = connections.get(id).document;
      return testConnection({ service: connections.service(id), firstVoicePage, clock }, signal);
    },
    getTokenState: ({ id }) => tokenState(id),
    async setToken({ id, token, place }) {
      assertStored(id);
      await enterToken(secrets, connections.get(id), token, place === 'file' ? 'file' : undefined);
      // Jobs that waited for a token resume at the same step.
      (await queue()).scheduler.resumeWithToken(id);
      return tokenState(id);
    },
    async clearToken({ id }) {
      assertStored(id);
      await secrets.clear(id);
      return tokenState(id);
    },
  };
}

import { parentChannel } from './parent-channel.ts';
import type { KeychainReply, KeychainRequest } from '../main/core/secrets/keychain.ts';

const service = 'Timbre';

/**
 * Entry point of the keychain process, the only one that loads keytar. A secret service that does not answer blocks every thread of
 * libuv's pool for 25 s, and with it all file reads; the caller can kill this process and continue. Where keytar could not be built,
 * every request fails with that reason.
 */
function runKeychainProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the keychain process must be started by another process');

  async function handle(request: KeychainRequest): Promise<string | null> {
    const { default: keytar } = await import('keytar');
    const { account } = request;
    if (request.op === 'get') return keytar.getPassword(service, account);
    if (request.op === 'set') await keytar.setPassword(service, account, request.value);
    else await keytar.deletePassword(service, account);
    return null;
  }

  parent.onLost(() => process.exit(0));
  parent.onMessage((message) => {
    const request = message as KeychainRequest;
    const reply = (message: KeychainReply) => parent.send(message);
    handle(request).then(
      (value) => reply({ id: request.id, ok: true, value }),
      (error: unknown) =>
        reply({ id: request.id, ok: false, why: error instanceof Error ? error.message : String(error) }),
    );
  });
}

runKeychainProcess();

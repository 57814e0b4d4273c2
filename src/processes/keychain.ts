import { parentChannel } from './parent-channel.ts';
import type { KeychainReply, KeychainRequest } from '../main/core/secrets/keychain.ts';

const service = 'Timbre';

/**
 * The keychain's process: the only one that loads keytar. A secret service that does not answer blocks every thread of the pool for
 * 25 s, and with it all reading of files; here there is nothing else to block, and whoever asked ends this process and goes on.
 * keytar is missing where it could not be built: then every answer says so.
 */
function runKeychainProcess(): void {
  const parent = parentChannel();
  if (!parent) throw new Error('the keychain is started by another process');

  async function answer(request: KeychainRequest): Promise<string | null> {
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
    const reply = (text: KeychainReply) => parent.send(text);
    answer(request).then(
      (value) => reply({ id: request.id, ok: true, value }),
      (error: unknown) =>
        reply({ id: request.id, ok: false, why: error instanceof Error ? error.message : String(error) }),
    );
  });
}

runKeychainProcess();

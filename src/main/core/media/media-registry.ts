import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** Which files a page may play, each under an opaque id. A page can neither read a path out of an id nor make up an id. */
export interface MediaRegistry {
  /** The same id for the same path, until Timbre ends. */
  idOf(path: string): string;
  pathOf(id: string): string | undefined;
}

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** A row of a list has two ids, and a message a hundred rows: longer ones are looked up. */
const mostUnits = 300;

/**
 * An id is its path, encrypted: a million rows of history may be shown without a memory of them. `randomBytes` gives keys that live as
 * long as the registry.
 */
export function createMediaRegistry({ randomBytes }: { randomBytes(size: number): Buffer }): MediaRegistry {
  const [key, ivKey] = [randomBytes(keyBytes), randomBytes(keyBytes)];
  const long = new Map<string, string>();

  /** By its content, so that one path has one id; no two contents have the same. */
  const ivOf = (content: Buffer) => createHmac('sha256', ivKey).update(content).digest().subarray(0, ivBytes);

  function encrypt(text: string): string {
    const content = Buffer.from(text, 'utf8');
    const iv = ivOf(content);
    const cipher = createCipheriv(cipherName, key, iv);
    const body = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  function decrypt(id: string): string | undefined {
    const bytes = Buffer.from(id, 'base64url');
    if (bytes.length < ivBytes + tagBytes) return undefined;
    const cipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes));
    cipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      return Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return {
    idOf(path) {
      // Half a pair of surrogates, which some systems allow in names, is lost on the way through UTF-8.
      if (path.length <= mostUnits && path.isWellFormed()) return encrypt(path);
      const id = createHmac('sha256', ivKey).update(path, 'utf16le').digest('base64url');
      long.set(id, path);
      return id;
    },
    pathOf: (id) => long.get(id) ?? decrypt(id),
  };
}

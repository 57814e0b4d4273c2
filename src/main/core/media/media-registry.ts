import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/**
 * Files that a page may play, each under an opaque id. A page can neither read the path from an id
 * nor create one.
 */
export interface MediaRegistry {
  /** Returns the same id for the same path until Timbre quits. */
  idOf(path: string): string;
  pathOf(id: string): string | undefined;
}

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** A row has two ids and a message 100 rows, so longer paths get an id from a table. */
const mostUnits = 300;

/**
 * An id is the encrypted path: a million history rows need no memory. `randomBytes` creates keys
 * that live as long as the registry.
 */
export function createMediaRegistry({ randomBytes }: { randomBytes(size: number): Buffer }): MediaRegistry {
  const [key, ivKey] = [randomBytes(keyBytes), randomBytes(keyBytes)];
  const long = new Map<string, string>();

  /** Derived from the content, so that one path has one id and different paths have different ids. */
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
      // UTF-8 would lose a lone surrogate, which some systems allow in names.
      if (path.length <= mostUnits && path.isWellFormed()) return encrypt(path);
      const id = createHmac('sha256', ivKey).update(path, 'utf16le').digest('base64url');
      long.set(id, path);
      return id;
    },
    pathOf: (id) => long.get(id) ?? decrypt(id),
  };
}

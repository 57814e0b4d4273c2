import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivately } from '../outputs/write-privately.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts into a file and gives back the key, base64: for secrets that are longer than a keychain takes. */
export async function seal(path: string, secret: string): Promise<string> {
  const key = randomBytes(keyBytes);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  await writePrivately(path, Buffer.concat([iv, cipher.getAuthTag(), sealed]));
  return key.toString('base64');
}

/** What was sealed; null where the file is gone, was changed, or belongs to another key. */
export async function unseal(path: string, key: string): Promise<string | null> {
  try {
    const content = await readFile(path);
    const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64'), content.subarray(0, ivBytes));
    decipher.setAuthTag(content.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(content.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

import { write, type Writing } from './writer.ts';

/** A program that writes files: as many at a time as its one argument says, with the bytes as base64. */
const asked = JSON.parse(process.argv[2] ?? '') as readonly (Omit<Writing, 'bytes'> & { readonly sound: string })[];
await Promise.all(
  asked.map(({ sound, ...writing }) =>
    write({ ...writing, bytes: Buffer.from(sound, 'base64') }, () => process.send?.('started')),
  ),
);
if (process.connected) process.disconnect();

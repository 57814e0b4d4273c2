import { readFileSync } from 'node:fs';

const established = '01';

/**
 * Connections to a port of this machine that a client holds open, as the system sees it: a server that does not read would hear of a
 * closed one only later.
 */
export function clientSockets(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => remote?.endsWith(`:${hex}`) && state === established).length;
}

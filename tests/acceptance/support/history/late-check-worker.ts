import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The integrity thread on a slow disk: it does not start before the file at `LATE_CHECK_GATE` exists. The port queues requests until
 * then.
 */
const gate = process.env['LATE_CHECK_GATE'] ?? '';
const pollMs = 20;

while (!existsSync(gate)) await sleep(pollMs);
await import('../../../../src/main/core/database/integrity-worker.ts');

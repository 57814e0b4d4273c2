import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The database's thread on a slow disk: it answers nothing before the file at `LATE_CHECK_GATE` is there. What it is asked meanwhile is
 * kept by the port until somebody listens.
 */
const gate = process.env['LATE_CHECK_GATE'] ?? '';
const lookMs = 20;

while (!existsSync(gate)) await sleep(lookMs);
await import('../../../../src/main/core/database/integrity-worker.ts');

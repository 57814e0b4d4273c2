import { spawn } from 'node:child_process';
import { findProgram } from '../chromium/find-chromium.mts';

export interface ProgramResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a desktop program and returns its exit code and stdout. Throws `host: <purpose> needs <name>` if it is missing. */
export async function runProgram(purpose: string, name: string, args: readonly string[]): Promise<ProgramResult> {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`host: ${purpose} needs ${name}`);
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

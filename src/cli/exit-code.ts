import type { ErrorCode } from '../shared/errors.ts';

/** What the process answers with (design, section 9). */
export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  token: 3,
  quota: 4,
  input: 5,
  network: 6,
  cancelled: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byArea: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  voice: exitCodes.input,
  watch: exitCodes.input,
  history: exitCodes.input,
  job: exitCodes.input,
  auth: exitCodes.token,
  quota: exitCodes.quota,
  network: exitCodes.network,
  request: exitCodes.usage,
  connection: exitCodes.usage,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'job/cancelled') return exitCodes.cancelled;
  if (code === 'output/not-writable') return exitCodes.input;
  const [area = ''] = code.split('/');
  return byArea[area] ?? exitCodes.other;
}

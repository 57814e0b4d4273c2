import type { CallLimits } from './call-limits.ts';

/** So much must come within the stall timeout: a service that drips a byte a minute would otherwise hold a job for ever. */
const leastBytes = 1024;

/** Passes a request's body on. Each chunk must be taken within `stallMs`; `onSent` tells that the last one was. */
export async function* watchSending(
  body: AsyncIterable<Buffer>,
  limits: CallLimits,
  stallMs: number,
  onSent: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    const taken = limits.within(stallMs, 'taking what is sent');
    try {
      yield chunk;
    } finally {
      taken();
    }
    limits.signal.throwIfAborted();
  }
  onSent();
}

/** Passes a reply's body on. Only waiting for the service counts: whoever reads may take any time over a chunk. */
export async function* watchReceiving(
  body: AsyncIterable<Buffer>,
  limits: CallLimits,
  stallMs: number,
): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  let waitedMs = 0;
  let began = performance.now();
  let arrived = limits.within(stallMs, 'sending its reply');
  try {
    for await (const chunk of body) {
      arrived();
      receivedBytes += chunk.length;
      waitedMs += performance.now() - began;
      if (receivedBytes >= leastBytes) receivedBytes = waitedMs = 0;
      yield chunk;
      began = performance.now();
      arrived = limits.within(stallMs - waitedMs, 'sending its reply');
    }
  } finally {
    arrived();
  }
}

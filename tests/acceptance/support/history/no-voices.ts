import type { Rule } from '../../../faults/fault-rules.ts';

/** The service is there and offers no voice any more. */
export const noVoices: Rule = {
  operation: ['voices', 'voice-detail'],
  fault: { kind: 'answer', status: 200, body: { page: 0, limit: 100, total: 0, voices: [] } },
};

import type { Http } from '../../../../src/main/core/voice-service/http.ts';

/** Counts calls as the caller sees them: a server hears only later that one was given up. */
export function countedHttp(http: Http): Http & { most(): number } {
  let now = 0;
  let most = 0;
  return {
    most: () => most,
    close: http.close,
    async send(request) {
      now += 1;
      most = Math.max(most, now);
      let isOpen = true;
      const end = () => {
        if (isOpen) now -= 1;
        isOpen = false;
      };
      try {
        const reply = await http.send(request);
        return {
          ...reply,
          async *chunks() {
            try {
              yield* reply.chunks();
            } finally {
              end();
            }
          },
          discard() {
            end();
            reply.discard();
          },
        };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

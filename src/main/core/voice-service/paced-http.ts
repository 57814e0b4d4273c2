import type { Http } from './http.ts';
import type { TokenBucket } from './token-bucket.ts';

/**
 * The network at the pace that a connection allows: every request, whatever the operation, takes a token first. A paid call has taken
 * its own by `VoiceService.turn`, before it was written down that the call may have left.
 */
export const pacedHttp = (http: Http, bucket: TokenBucket): Http => ({
  async send(request) {
    if (request.fresh !== true) await bucket.take(request.signal);
    return http.send(request);
  },
  close: http.close,
});

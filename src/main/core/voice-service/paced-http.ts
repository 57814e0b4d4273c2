import type { Http } from './http.ts';
import type { TokenBucket } from './token-bucket.ts';

/** The network at the pace that a connection allows: every request, whatever the operation, takes a token first. */
export const pacedHttp = (http: Http, bucket: TokenBucket): Http => ({
  async send(request) {
    await bucket.take(request.signal);
    return http.send(request);
  },
  close: http.close,
});

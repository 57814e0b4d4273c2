/** A refusal as the interface words it: an HTTP status and the two texts of an error body. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly error: string;
  /** Empty where the interface has the `error` field only. */
  readonly details: string;

  constructor(status: number, error: string, details: string, options?: ErrorOptions) {
    super(`${error} ${details}`, options);
    this.status = status;
    this.error = error;
    this.details = details;
  }
}

/** Create task and upload (interface, "Errors"). */
export const invalidInput = (details: string, status = 400, options?: ErrorOptions): HttpError =>
  new HttpError(status, 'Invalid input parameters.', details, options);

/** Convert and voice list (interface, "Errors"). */
export const invalidParameters = (details: string, status = 400, options?: ErrorOptions): HttpError =>
  new HttpError(status, 'Invalid parameters.', details, options);

/** Speech (interface, "Errors"): the error field only. */
export const badRequest = (): HttpError => new HttpError(400, 'Bad Request', '');

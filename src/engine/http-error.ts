/** An HTTP error in the interface's form: a status and the two texts of an error body. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly error: string;
  /** Empty if the interface has only the `error` field. */
  readonly details: string;

  constructor(status: number, error: string, details: string, options?: ErrorOptions) {
    super(`${error} ${details}`, options);
    this.status = status;
    this.error = error;
    this.details = details;
  }
}

/** Error of create task and upload (interface, "Errors"). */
export const invalidInput = (details: string, status = 400, options?: ErrorOptions): HttpError =>
  new HttpError(status, 'Invalid input parameters.', details, options);

/** Error of convert and voice list (interface, "Errors"). */
export const invalidParameters = (details: string, status = 400, options?: ErrorOptions): HttpError =>
  new HttpError(status, 'Invalid parameters.', details, options);

/** Error of speech (interface, "Errors"), which has only the `error` field. */
export const badRequest = (): HttpError => new HttpError(400, 'Bad Request', '');

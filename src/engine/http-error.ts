/** A refusal as the interface words it: an HTTP status and the two texts of an error body. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
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
export const invalidInput = (details: string, status = 400, options?: ErrorOptions): HttpProblem =>
  new HttpProblem(status, 'Invalid input parameters.', details, options);

/** Convert and voice list (interface, "Errors"). */
export const invalidParameters = (details: string, status = 400, options?: ErrorOptions): HttpProblem =>
  new HttpProblem(status, 'Invalid parameters.', details, options);

/** Speech (interface, "Errors"): the error field only. */
export const badRequest = (): HttpProblem => new HttpProblem(400, 'Bad Request', '');

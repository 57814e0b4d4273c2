import { sendJson, type Handler } from '../request-context.ts';
import { HttpError } from '../http-error.ts';
import type { ModelStore } from '../models/model-store.ts';

/** DELETE /v1/models/{name} */
export const deleteModel =
  (models: ModelStore): Handler =>
  async ({ params, response }) => {
    const [name = ''] = params;
    if (!(await models.remove(name))) {
      throw new HttpError(404, 'Invalid model name.', `The model ${name} does not exist.`);
    }
    sendJson(response, 200, { status: 'success', message: 'The model has been deleted.', modelName: name });
  };

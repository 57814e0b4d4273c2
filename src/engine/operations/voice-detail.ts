import { outputFormats } from '../../sound/sound-format.ts';
import { sendJson, type Handler } from '../request-context.ts';
import { findVoice } from '../catalogue.ts';
import { HttpError } from '../http-error.ts';

/** GET /api/getvoicedetail?voiceId= */
export const voiceDetail: Handler = ({ query, response }) => {
  const id = query.get('voiceId') ?? '';
  const voice = findVoice(id);
  if (!voice) throw new HttpError(404, 'Invalid voice identifier.', `The provided voice ID ${id} does not exist.`);
  const { name, gender, language, category, description, targetF0Hz } = voice;
  sendJson(response, 200, {
    status: 'success',
    voiceId: id,
    name,
    gender,
    language,
    category,
    description,
    additionalDetails: { pitch: `${targetF0Hz} Hz`, speed: '1.0', supportedFormats: outputFormats },
  });
  return Promise.resolve();
};

import type { ConnectionBook } from './connection-book.ts';

/** The same book, which tells what a service says beside the sound that it made of a text: no job keeps that. */
export const hearSpeech = (book: ConnectionBook, onSpoken: (message: string | null) => void): ConnectionBook => ({
  ...book,
  serviceAsOf(id, document) {
    const service = book.serviceAsOf(id, document);
    return {
      ...service,
      async speakText(speech, signal) {
        const spoken = await service.speakText(speech, signal);
        onSpoken(spoken.message);
        return spoken;
      },
    };
  },
});

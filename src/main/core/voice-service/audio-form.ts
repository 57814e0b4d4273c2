import { randomBytes } from 'node:crypto';

/** What stands around the bytes of a recording that is sent as the last part of a form, `audioFile`. */
export interface AudioForm {
  readonly contentType: string;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The escapes that browsers use in a part's header (HTML standard, multipart/form-data encoding). */
const escaped = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

/** `fields` are parts of text before the recording. */
export function audioForm({
  fileName,
  fields = {},
}: {
  readonly fileName: string;
  readonly fields?: Readonly<Record<string, string>>;
}): AudioForm {
  const boundary = `timbre-${randomBytes(18).toString('hex')}`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(
      `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="audioFile"; filename="${escaped(fileName)}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

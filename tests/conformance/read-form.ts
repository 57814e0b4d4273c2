export interface FormPart {
  readonly name: string;
  readonly fileName: string;
  readonly content: Buffer;
}

/** The parts of a multipart form. Throws for what is none: a test then shows the form. */
export function readForm(contentType: string, body: Buffer): readonly FormPart[] {
  const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType) ?? [];
  const text = `\r\n${body.toString('latin1')}`;
  const pieces = text.split(`\r\n--${boundary}`);
  if (boundary === '' || pieces[0] !== '' || pieces.at(-1) !== '--\r\n') throw new Error(`not a form: ${contentType}`);
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, end);
    const [, name = ''] = /; name="([^"]*)"/.exec(head) ?? [];
    const [, fileName = ''] = /; filename="([^"]*)"/.exec(head) ?? [];
    return { name, fileName, content: Buffer.from(piece.slice(end + 4), 'latin1') };
  });
}

/** A line that is longer than what anybody can mean. */
export const tooLong = Symbol('a line that is too long');

const lineEnd = 0x0a;

/** The lines of a stream, without their ends; of one that is too long only that. Memory does not grow with the stream. */
export async function* textLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (part: Buffer) => {
    heldBytes += part.length;
    if (heldBytes <= maxLineBytes) held.push(part);
    else held = [];
  };
  const take = () => {
    const line = heldBytes > maxLineBytes ? tooLong : Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, start)) {
      hold(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield take();
}

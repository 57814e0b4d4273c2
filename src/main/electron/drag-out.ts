import type { WebContents } from 'electron';
import { AppError } from '../../shared/errors.ts';

/**
 * Continues a drag that began in the page as a system drag of these files. `icon` is the path of a
 * PNG, which macOS requires. Throws `history/no-drag` without a page, or if its window has no
 * system drag.
 */
export function dragOut(
  contents: Pick<WebContents, 'startDrag'> | undefined,
  paths: readonly string[],
  icon: string,
): void {
  const [file] = paths;
  try {
    if (!contents || file === undefined) throw new Error('nothing to drag, or nowhere to drag it from');
    contents.startDrag({ file, files: [...paths], icon });
  } catch (cause) {
    throw new AppError('history/no-drag', String(cause), { cause });
  }
}

import type { WebContents } from 'electron';
import { AppError } from '../../shared/errors.ts';

/**
 * Lets the system drag these files out of a page in which a drag has begun. `icon` is a PNG's path; macOS refuses to drag without one.
 * Throws `history/no-drag` where there is no page, or its window has no drag of the system's own.
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

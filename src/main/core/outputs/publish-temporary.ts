import { isSame, standingAt, type FileIdentity } from './file-identity.ts';
import { withFolder } from './output-folder.ts';
import { takeName, type NameClaim, type Nameless } from './take-name.ts';
import { removeName } from './temporary-file.ts';

/** Takes a name back, if it is still ours, so that a result that was not published leaves none behind. */
async function giveBack(path: string, identity: FileIdentity): Promise<void> {
  const standing = await standingAt(path);
  if (standing && isSame(standing.identity, identity)) await removeName(path);
}

/** Gives a finished temporary file the first free name that the claim offers, makes the name safe, and returns its path. */
export function publishTemporary(file: Nameless, claim: NameClaim): Promise<string> {
  return withFolder(file.folder, async ({ sync }) => {
    const path = await takeName(file, claim);
    try {
      await removeName(file.temporaryPath);
      await sync();
    } catch (error) {
      // Where this fails too, the journal still has the name: `recoverOutput` finds the result there.
      await giveBack(path, file.identity).catch(() => undefined);
      throw error;
    }
    return path;
  });
}

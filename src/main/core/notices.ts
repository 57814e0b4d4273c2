import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Notice } from '../../shared/schemas/app.ts';

/** The software bill of materials that scripts/notices.mts writes with each build, in CycloneDX. */
export const sbomName = 'sbom.cdx.json';

const licence = v.object({
  license: v.object({
    id: v.optional(v.string()),
    name: v.optional(v.string()),
    text: v.object({ content: v.string() }),
  }),
});
const bill = v.object({
  components: v.array(
    v.object({
      group: v.optional(v.string()),
      name: v.string(),
      version: v.string(),
      licenses: v.array(licence),
    }),
  ),
});

/** Reads what ships with this program, from the folder of its bundles. */
export async function readNotices(outFolder: string): Promise<readonly Notice[]> {
  const { components } = v.parse(bill, JSON.parse(await readFile(join(outFolder, sbomName), 'utf8')));
  return components.map(({ group, name, version, licenses }) => ({
    name: group === undefined ? name : `${group}/${name}`,
    version,
    licence: licenses.map(({ license: { id, name: other } }) => id ?? other ?? '').join(', '),
    text: licenses.map(({ license }) => license.text.content).join('\n\n'),
  }));
}

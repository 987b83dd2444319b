import { basename, dirname, join } from 'node:path';
import type { Bundle, Bundles } from '@hearth/language-server/bundles.ts';
import { checkFiles } from '@hearth/service/bundle-bot.ts';
import { type BundlePlace, placeBundle, readBundle } from '@hearth/service/bundle.ts';

/*
 * Bundles as they lie on the disk, with what editors have not saved laid over them. Paths stay as the editor has them:
 * links are not resolved, so that each is found again under the name it was opened by.
 */

/** The bundles that the language server sees. */
export const bundlesOnDisk: Bundles = {
  read: async (path, unsaved) => {
    const place = placed(rootOf(path));
    if (place === null) return null;
    const single = place.mainFile !== 'main.bot';
    const pathOf = (name: string): string => (single ? path : join(rootOf(path), name));
    const files = await readBundle(withUnsaved(place, name => unsaved(pathOf(name))));
    if (files.main === null) return null;
    return {
      main: { path: pathOf(files.mainFile), text: files.main },
      prompts: new Map(
        Object.entries(files.prompts).map(([name, text]) => [
          name,
          { path: pathOf(`prompts/${name}.md`), text },
        ]),
      ),
      diagnostics: checkFiles(files).map(diagnostic => ({ path: pathOf(diagnostic.file), diagnostic })),
    } satisfies Bundle;
  },
};

function placed(path: string): BundlePlace | null {
  try {
    return placeBundle(path);
  } catch {
    return null;
  }
}

/** The bundle that a file would belong to: a directory, or the file itself when it is a source alone. */
function rootOf(path: string): string {
  const directory = dirname(path);
  if (basename(path) === 'main.bot' || basename(path) === 'manifest.yaml') return directory;
  if (path.endsWith('.md') && basename(directory) === 'prompts') return dirname(directory);
  if (basename(path) === 'SKILL.md') return dirname(dirname(directory));
  return path;
}

/** The same place, whose files hold what is not saved. */
function withUnsaved(place: BundlePlace, unsaved: (name: string) => string | undefined): BundlePlace {
  return {
    ...place,
    contents: async () => {
      const contents = await place.contents();
      if ('refused' in contents) return contents;
      return {
        ...contents,
        read: (name, limit) => {
          const text = unsaved(name);
          return text === undefined
            ? contents.read(name, limit)
            : Promise.resolve({ bytes: Buffer.from(text) });
        },
      };
    },
  };
}

/*
 * What works in a conversation that is open, loaded with the first one; most starts of a service open none. Each part is
 * loaded once, and is there at once from then on; one that could not be loaded is tried again by whoever needs it next.
 */

function late<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

export const lanePart = late(() => import('./lane.ts'));
export const openingPart = late(() => import('./home-opening.ts'));
export const beginningsPart = late(() => import('./beginnings.ts'));
export const stagingPart = late(() => import('./staging.ts'));
export const salvagePart = late(() => import('./salvage.ts'));
export const portablePart = late(() => import('./portable.ts'));

/** All of them, in the order in which they will be needed. */
export const LATE_PARTS: readonly (() => Promise<unknown>)[] = [
  openingPart,
  lanePart,
  stagingPart,
  beginningsPart,
  salvagePart,
  portablePart,
];

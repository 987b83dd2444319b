import type { Language } from './language.ts';
import { en } from './phrases-en.ts';
import { fr } from './phrases-fr.ts';

/** Everything the rehearsal can say; both languages say all of it. */
export type Phrases = typeof en;

/** All that the rehearsal says, by language; the French table has the keys of the English one. */
export const phrases: Readonly<Record<Language, Phrases>> = { en, fr };

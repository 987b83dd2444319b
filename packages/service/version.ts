import { readFileSync } from 'node:fs';

/** The manifest of the installation, a checkout or an installed package: it stands in the same place in both. */
const MANIFEST = new URL('../../package.json', import.meta.url);

const manifest: { readonly version: string } = JSON.parse(readFileSync(MANIFEST, 'utf8'));

/**
 * Hearth's version, as `/status`, `service.json` and `hearth --version` show it. It is read once: a service whose
 * installation is replaced under it keeps the version that it is.
 */
export const VERSION: string = manifest.version;

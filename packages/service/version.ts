import manifest from './package.json' with { type: 'json' };

/** Hearth's version, as `/status`, `service.json` and `hearth --version` show it. */
export const VERSION: string = manifest.version;

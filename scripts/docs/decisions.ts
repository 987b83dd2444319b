import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGES = fileURLToPath(new URL('../../docs/adr/', import.meta.url));

/** The pages of decisions, by number. */
export function decisions(): string {
  return readdirSync(PAGES)
    .filter(name => /^\d{4}-.+\.md$/.test(name))
    .sort()
    .map(name => {
      const [, title = name] = /^# (.+)$/m.exec(readFileSync(PAGES + name, 'utf8')) ?? [];
      return `- [${title}](${name})`;
    })
    .join('\n');
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fenced } from './markdown.ts';

const HELLO = fileURLToPath(new URL('../../bots/hello/', import.meta.url));
const MIGRATE = fileURLToPath(new URL('../../docs/examples/migrate/main.bot', import.meta.url));

/** A file of the smallest bot, as it is. */
export function hello(file: 'main.bot' | 'manifest.yaml'): string {
  return fenced(file === 'main.bot' ? 'bot' : 'yaml', readFileSync(HELLO + file, 'utf8'));
}

/** The source of the example in which a person approves a migration. */
export function migrate(): string {
  return fenced('bot', readFileSync(MIGRATE, 'utf8'));
}

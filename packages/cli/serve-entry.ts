import { useCompiled } from './compiled-code.ts';

/* Where the process of a service in the background begins: before anything else is loaded. */

useCompiled(process.argv[2] ?? '');
await import('./serve-process.ts');

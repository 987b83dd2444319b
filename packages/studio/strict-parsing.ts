import { config } from 'zod';

/*
 * Imported before anything that makes a schema: the page's policy forbids making code from text, and zod would try it to
 * be faster.
 */
config({ jitless: true });

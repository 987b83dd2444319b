import { Calls } from './calls.ts';
import type { ClientOptions } from './client-options.ts';
import { validating } from './validating.ts';

/** The calls of one service, of which every answer is held against its schema before anybody sees it. */
export class HearthClient extends Calls {
  constructor(options: ClientOptions) {
    super(options, validating);
  }
}

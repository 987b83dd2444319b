import { serve } from '@hearth/language-server/server.ts';
import type { ExitCode } from '@hearth/protocol/exit-code.ts';
import { VERSION } from '@hearth/service/version.ts';
import type { Invocation } from './command.ts';
import { bundlesOnDisk } from './lsp-bundles.ts';

/** `hearth lsp`: the language server on stdin and stdout, until its client ends it. */
export function lsp({ io }: Invocation): Promise<ExitCode> {
  serve(io.stdin, io.stdout, bundlesOnDisk, VERSION);
  return new Promise(() => undefined);
}

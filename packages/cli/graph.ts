import { resolve } from 'node:path';
import type { BundleSource } from '@hearth/language/bundle.ts';
import { drawingOf } from '@hearth/language/drawing/drawing.ts';
import { mermaidOf } from '@hearth/language/drawing/mermaid.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { placeBundle, readBundle } from '@hearth/service/bundle.ts';
import { CommandError, type Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { readSource } from './stdin.ts';
import { typedIn } from './workspace.ts';

/** `hearth graph`: a bot's graph as a Mermaid flowchart, or as JSON. It need not compile; it needs a workflow. */
export async function graph(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [path = ''] = call.words;
  const drawing = drawingOf(
    path === '-' ? { main: await readSource(io) } : await sourceAt(resolve(typedIn(io), path)),
  );
  if (drawing === null) {
    const message = `The bot ${path === '-' ? 'on stdin' : path} has no workflow to draw: see "hearth check".`;
    throw new CommandError(EXIT.failed, 'no_workflow', message);
  }
  if (call.flag('json')) printJson(io, drawing);
  else print(io, mermaidOf(drawing).trimEnd());
  return EXIT.done;
}

async function sourceAt(path: string): Promise<BundleSource> {
  const { main, mainFile, diagnostics } = await readBundle(placeBundle(path));
  if (main !== null) return { main, mainName: mainFile };
  throw new CommandError(
    EXIT.failed,
    'broken_bot',
    diagnostics[0]?.message ?? `The bot ${path} cannot be read.`,
  );
}

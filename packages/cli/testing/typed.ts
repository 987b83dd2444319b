import { PassThrough } from 'node:stream';
import { run } from '../main.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process as if it were typed in a directory, with a text or bytes on stdin. */
export async function typed(
  words: readonly string[],
  cwd: string,
  input: string | Uint8Array = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const read = async (stream: PassThrough): Promise<string> =>
    (await stream.setEncoding('utf8').toArray()).join('');
  const printed = Promise.all([read(stdout), read(stderr)]);
  stdin.end(input);
  const code = await run(words, {
    env,
    cwd,
    stdin,
    stdout,
    stderr,
    interrupted: new AbortController().signal,
    interruption: { message: 'Interrupted.' },
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, out, err };
}

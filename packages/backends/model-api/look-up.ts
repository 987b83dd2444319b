import type { ModelApiPorts } from './ports.ts';

/** How long a server may take to say something of itself, in milliseconds; one that is not there refuses at once. */
const PATIENCE_MS = 2000;
/** More of it is not read, in bytes. */
const MOST = 4 * 1024 * 1024;

/**
 * Asks a server of something about itself; `null` when it does not answer soon, not well, with too much, or by sending the
 * question on: a key is for its own address alone. `ask` is sent as JSON, `ms` is how soon. Never rejects.
 */
export async function lookedUp(
  { fetch = globalThis.fetch, clock }: Pick<ModelApiPorts, 'fetch' | 'clock'>,
  url: string,
  {
    key = null,
    ask,
    ms = PATIENCE_MS,
  }: { readonly key?: string | null; readonly ask?: unknown; readonly ms?: number } = {},
): Promise<unknown> {
  const patience = new AbortController();
  const cancel = clock.after(ms, () => patience.abort());
  try {
    const response = await fetch(url, {
      signal: patience.signal,
      redirect: 'error',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(ask === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(ask === undefined ? {} : { method: 'POST', body: JSON.stringify(ask) }),
    });
    const text = response.ok ? await textOf(response) : null;
    if (text === null) await response.body?.cancel().catch(() => undefined);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  } finally {
    cancel();
  }
}

async function textOf({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

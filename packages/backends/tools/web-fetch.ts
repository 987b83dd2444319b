import { lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Tool, ToolResult } from '@hearth/engine/tool.ts';
import { z } from 'zod';
import { readableText } from './readable-text.ts';
import { refusal, shown, workspaceTool } from './workspace-tool.ts';

/*
 * Fetches a page for a model. Only public addresses are reached, whatever name leads to them: a name is looked up once, and
 * what it gave is what is connected to. Each redirect is judged anew, and one to another host is told instead of followed,
 * so that whoever may be asked about an address is asked about that one. No cookie, no login and no key goes with it.
 */

const SECONDS = 20;
const BYTES = 2 * 1024 * 1024;
const CHARACTERS = 50_000;
const REDIRECTS = 5;

/** What is not on the public net: this machine, its neighbours, and what is reserved. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** Whether an address is one of the public net. One of the old kind in a new dress is what it is. */
export function isPublic(address: string): boolean {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  const kind = isIP(mapped);
  if (kind === 0) return false;
  if (kind === 6 && /^::ffff:/i.test(mapped)) return false;
  return !PRIVATE.check(mapped, kind === 4 ? 'ipv4' : 'ipv6');
}

class Refused extends Error {}

/** `web_fetch`: Content: `{url, status, type, text, cut}`. `may` says which addresses are reached. */
export function webFetchTool(may: (address: string) => boolean): Tool {
  return workspaceTool({
    name: 'web_fetch',
    description: `Fetches a public page by its address (http or https) and gives its text, of HTML without the markup; at most ${CHARACTERS} characters.`,
    args: z.object({ url: z.string().min(1).max(2000) }),
    title: args => `fetch ${shown(args['url'])}`,
    run: async ({ url }, { signal }) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(SECONDS * 1000)]);
      try {
        return await followed(url, may, patience);
      } catch (error) {
        if (error instanceof Refused) return refusal(error.message);
        if (signal.aborted) return refusal('The turn was stopped.');
        if (patience.aborted) return refusal(`"${shown(url)}" did not answer within ${SECONDS} seconds.`);
        const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
        return refusal(`"${shown(url)}" could not be fetched${code}.`);
      }
    },
  });
}

/** The tool as agents get it. */
export const webFetch: Tool = webFetchTool(isPublic);

interface Page {
  readonly status: number;
  readonly type: string;
  readonly location: string | null;
  readonly encoding: string;
  readonly body: Buffer;
  readonly cut: boolean;
}

async function followed(
  url: string,
  may: (address: string) => boolean,
  signal: AbortSignal,
): Promise<ToolResult> {
  let at = addressOf(url, undefined);
  for (let hops = 0; hops <= REDIRECTS; hops += 1) {
    const { status, type, location, encoding, body, cut } = await page(at, may, signal);
    if (status >= 300 && status < 400 && location !== null) {
      const next = addressOf(location, at);
      if (hostOf(next) !== hostOf(at)) return elsewhere(at, status, next);
      at = next;
      continue;
    }
    if (encoding !== 'identity')
      return refusal(`"${shown(at.href)}" comes packed (${encoding.slice(0, 20)}), though it was not to be.`);
    if (
      !/^(?:text\/|application\/(?:json|xml|xhtml|javascript|[\w.+-]*\+(?:json|xml)))/i.test(type || 'text/')
    )
      return refusal(`"${shown(at.href)}" is ${type.slice(0, 80)}, which is no text.`);
    const raw = new TextDecoder().decode(body);
    const text = /html/i.test(type) ? readableText(raw) : raw;
    return {
      content: {
        url: at.href,
        status,
        type,
        text: text.slice(0, CHARACTERS),
        cut: cut || text.length > CHARACTERS,
      },
    };
  }
  throw new Refused(`"${shown(url)}" leads from one address to another more than ${REDIRECTS} times.`);
}

/** What the model is told of a redirect to another host. */
function elsewhere(at: URL, status: number, next: URL): ToolResult {
  const text = `This address leads to another host: ${next.href} Fetch that one if it is what you want.`;
  return { content: { url: at.href, status, type: '', text, cut: false } };
}

/** The host by which a site is known, with `www` or without. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^www\./, '').replace(/\.$/, '');
}

function addressOf(text: string, base: URL | undefined): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Refused(`"${shown(text)}" is no address of a page: it begins with http:// or https://.`);
  if (url.username !== '' || url.password !== '')
    throw new Refused('An address with a user or a password in it is not fetched.');
  return url;
}

function page(url: URL, may: (address: string) => boolean, signal: AbortSignal): Promise<Page> {
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const closed = new Refused(
    `"${shown(url.hostname)}" is not on the public net, and nothing else is fetched.`,
  );
  if (isIP(bare) !== 0 && !may(bare)) return Promise.reject(closed);
  const checked: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || first === undefined) return done(error ?? closed, '', 0);
      if (!found.every(({ address }) => may(address))) return done(closed, '', 0);
      if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = {
      accept: 'text/html, text/*;q=0.9, application/json;q=0.8',
      'accept-encoding': 'identity',
      'user-agent': 'hearth',
    };
    const asked = start(url, { signal, headers, lookup: checked, agent: false }, response => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = (cut: boolean): void =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          location: response.headers.location ?? null,
          encoding: response.headers['content-encoding']?.toLowerCase() ?? 'identity',
          body: Buffer.concat(chunks).subarray(0, BYTES),
          cut,
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= BYTES) return;
        end(true);
        response.destroy();
      });
      response.on('end', () => end(false));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

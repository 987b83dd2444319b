import type { Conversations } from '@hearth/conversations/registry.ts';
import { Digest } from '@hearth/protocol/ids.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { mimeOf } from '@hearth/protocol/mime.ts';
import { ATTACHED_LIMIT, FileName, MimeType } from '@hearth/protocol/text.ts';
import { CURSOR_ZERO, parseCursor } from '@hearth/protocol/cursor.ts';
import { z } from 'zod';
import { PlainResponse } from '../plain-response.ts';
import { problem, ProblemError, problemResponse } from '../problem.ts';
import { jsonResponse, type Route, route } from '../route.ts';
import type { PresenceLog } from '../presence.ts';
import type { Streams } from '../sse.ts';

const PAGE = 200;
const TURNS = 20;

/** A cursor is judged by the conversation and not by a schema, so that a bad one is answered with a recovery. */
const After = z.object({ after: z.string().exactOptional() });
const PageQuery = After.extend({ limit: z.coerce.number().int().min(1).max(500).default(PAGE) });
const HistoryQuery = z.object({
  before: z.coerce.number().int().nonnegative().exactOptional(),
  turns: z.coerce.number().int().min(1).max(200).default(TURNS),
});

const FileQuery = z.object({ name: FileName, mime: MimeType.exactOptional() });

const WORDS: Readonly<Record<Recovery['code'], string>> = {
  cursor_expired:
    'Events after this cursor were trimmed: continue from resetCursor; older words are in the history.',
  cursor_ahead: 'The cursor lies beyond the end of the log: continue from resetCursor.',
  epoch_changed: 'The conversation was begun anew or restored since: continue from resetCursor.',
  cursor_invalid: 'The cursor is not one of this conversation: continue from resetCursor.',
  unknown_conversation: 'There is no such conversation.',
};

/** Reading the log: pages, history, the live stream, long texts. */
export function streamRoutes(wiring: {
  readonly conversations: Conversations;
  readonly streams: Streams;
  readonly presence: Pick<PresenceLog, 'watch'>;
}): readonly Route[] {
  const { conversations, streams, presence } = wiring;
  return [
    route({
      method: 'GET',
      path: '/conversations/:c/events',
      summary: 'A page of events after a cursor; without one, from the retained boundary.',
      query: PageQuery,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        return pageResponse(await lane.page(given(call.query.after), call.query.limit));
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c/history',
      summary: 'What was said and decided, backwards by turns; never trimmed.',
      query: HistoryQuery,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        return jsonResponse(await lane.history(call.query.before ?? null, call.query.turns));
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c/stream',
      summary: 'Server-sent events from a cursor on; Last-Event-ID wins over `after`.',
      query: After,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const after = given(call.headers.get('last-event-id') ?? undefined) ?? given(call.query.after);
        const from = after !== null && parseCursor(after) !== null ? after : lane.view().retained;
        return streams.serve((on, ready) => lane.attach(after, on, ready), from, call.outgoing);
      },
    }),
    route({
      method: 'GET',
      path: '/stream',
      summary:
        'Server-sent events of the home: which conversations changed, appeared or left, and how they are.',
      handle: call => streams.serve(on => Promise.resolve(presence.watch(on)), CURSOR_ZERO, call.outgoing),
    }),
    route({
      method: 'POST',
      path: '/conversations/:c/blobs',
      summary: 'Keeps the bytes of a file, for a message to bring; the same bytes are kept once.',
      query: FileQuery,
      bytes: ATTACHED_LIMIT,
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const { name, mime = mimeOf(name) } = call.query;
        const { bytes } = call;
        return jsonResponse({ blob: await lane.upload(bytes), bytes: bytes.length, name, mime });
      },
    }),
    route({
      method: 'GET',
      path: '/conversations/:c/blobs/:digest',
      summary: 'A long text or an attachment, whole.',
      async handle(call) {
        const lane = await conversations.lane(call.param('c'));
        const name = call.param('digest');
        const digest = Digest.safeParse(name.startsWith('sha256:') ? name : `sha256:${name}`);
        const bytes = digest.success ? await lane.blob(digest.data) : null;
        if (bytes === null)
          throw new ProblemError('unknown_blob', `This conversation holds no blob ${name}.`);
        // Stored bytes are whatever anybody said; no browser may take them for a page.
        const headers = {
          'content-type': 'application/octet-stream',
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, immutable',
        };
        return new PlainResponse(new Uint8Array(bytes), { headers });
      },
    }),
  ];
}

function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function pageResponse(page: EventPage | Recovery): Response {
  if (!('code' in page)) return jsonResponse(page);
  const { code, ...rest } = page;
  return problemResponse({ ...problem(code, WORDS[code]), status: 409, title: 'Refused' }, {}, rest);
}

import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import type { Call, Line, Part } from './line.ts';
import { type ShownPictures, unseenWords } from './pictures.ts';

/*
 * A transcript as the messages of a request. Pure. Whatever stands in the transcript, the request is one that providers
 * take: no message is empty, every call is followed by its result, and what only one provider understands goes to that
 * provider alone.
 */

/** Stands for words that are empty: providers refuse an empty message. */
export const NOTHING_SAID = '[hearth] The message is empty.';
/** The result of a call that was broken off before its own was known. */
export const BROKEN_OFF =
  'The call was interrupted before its result was known; it may have taken effect. Look before you repeat it.';

/**
 * The messages of a request to `model` by whoever signs as `by`, with the pictures that are shown. Reasoning is a model's
 * own: vendors refuse that of another one.
 */
export function messagesOf(
  lines: readonly Line[],
  by: string,
  model: string,
  pictures: ShownPictures = new Map(),
): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const results = new Map(lines.flatMap(line => (line.line === 'result' ? [[line.call, line]] : [])));
  for (const line of lines) {
    if (line.line === 'words') messages.push({ role: 'user', content: wordsOf(line, pictures) });
    if (line.line === 'reply') messages.push({ role: 'assistant', content: spoken(line.text) });
    if (line.line !== 'step') continue;
    const parts = line.parts.filter(
      part => part.is !== 'reasoning' || (line.by === by && line.model === model),
    );
    if (!parts.some(part => part.is !== 'reasoning')) continue;
    messages.push({ role: 'assistant', content: parts.map(part => partOf(part, line.by === by)) });
    const calls = parts.filter(part => part.is === 'call');
    if (calls.length > 0) {
      messages.push({ role: 'tool', content: calls.map(call => resultOf(call, results.get(call.call))) });
    }
  }
  return messages;
}

/** Words with their pictures; one that is not sent is told of. */
function wordsOf(
  { text, pictures = [] }: Extract<Line, { line: 'words' }>,
  shown: ShownPictures,
): UserModelMessage['content'] {
  if (pictures.length === 0) return spoken(text);
  return [
    { type: 'text', text: spoken(text) },
    ...pictures.map(picture => {
      const found = shown.get(picture.path) ?? { unseen: 'its file is gone' };
      if ('unseen' in found) return { type: 'text', text: unseenWords(picture, found.unseen) } as const;
      return { type: 'file', data: found.bytes, mediaType: found.mime } as const;
    }),
  ];
}

/** Words as providers take them: none are empty, and no character is half of one, which makes a request no JSON to some. */
function spoken(text: string): string {
  return text.trim() === '' ? NOTHING_SAID : text.toWellFormed();
}

type AgentPart = Exclude<AssistantModelMessage['content'], string>[number];

function partOf(part: Part, own: boolean): AgentPart {
  const more = own && part.only !== undefined ? { providerOptions: part.only } : {};
  if (part.is === 'text') return { type: 'text', text: part.text, ...more };
  if (part.is === 'reasoning') return { type: 'reasoning', text: part.text, ...more };
  return { type: 'tool-call', toolCallId: part.call, toolName: part.name, input: part.args, ...more };
}

function resultOf(
  { call, name }: Call,
  line: Extract<Line, { line: 'result' }> | undefined,
): ToolModelMessage['content'][number] {
  const head = { type: 'tool-result', toolCallId: call, toolName: name } as const;
  if (line === undefined) return { ...head, output: { type: 'error-text', value: BROKEN_OFF } };
  const text = typeof line.content === 'string' ? line.content : JSON.stringify(line.content);
  return { ...head, output: { type: line.failed ? 'error-text' : 'text', value: text.toWellFormed() } };
}

import type { Model } from '@hearth/client/view.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';

/** A line for this page alone: what could not be done, and why. */
export interface Notice {
  readonly id: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  /** It tells of words that were not sent, until some were. */
  readonly unsent?: true;
}

/** All that is drawn; a new object after every change. */
export interface Sheet {
  /** `null` until a conversation is open. */
  readonly model: Model | null;
  /** Whether somebody answers, while no conversation is open. */
  readonly reachable: boolean;
  readonly rows: readonly ConversationRow[];
  readonly notices: readonly Notice[];
  readonly backend: { readonly name: string; readonly why: string } | null;
  /** The pause to which a decision is on its way. */
  readonly deciding: PauseId | null;
  /** What lies before what is shown is on its way. */
  readonly readingBack: boolean;
  /** What is typed for the open conversation. */
  readonly composed: string;
  /** Files that were uploaded for the next message. */
  readonly files: readonly Attached[];
  /** Another file is on its way. */
  readonly uploading: boolean;
  /** What is typed beside its cards and inputs, by their pauses. */
  readonly beside: Readonly<Record<string, string>>;
  /** Why this browser has to sign in; `null` while it is signed in. */
  readonly signedOut: string | null;
}

/** Before any conversation is open. */
export const EMPTY: Sheet = {
  model: null,
  reachable: true,
  rows: [],
  notices: [],
  backend: null,
  deciding: null,
  readingBack: false,
  composed: '',
  files: [],
  uploading: false,
  beside: {},
  signedOut: null,
};

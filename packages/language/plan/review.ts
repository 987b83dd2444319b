import type { Expr } from '../expr/ast.ts';

/** A document that the controller owns: its versions, its confirmation, and what it was made from. */
export interface Artifact {
  readonly name: string;
  /** What a person reads above its body. */
  readonly title: string;
  /** The field of the publishing node's output that is its text. */
  readonly body: string;
  /** The registered check whose findings stand beside the body. */
  readonly lint: string | null;
  /** The artifacts it is made from. They have no cycle: when one is reopened, this one is invalid. */
  readonly from: readonly string[];
}

/**
 * What a person may do at a pause. Typed text takes the first action in the declared order whose `when` holds; a button
 * takes its own. An action moves the run when an edge is `on` it; without one the pause stays open.
 */
export interface Action {
  readonly name: string;
  readonly label: string;
  readonly needs: 'nothing' | 'feedback';
  /** Whether there is a button for it; without one only typed text takes it. */
  readonly button: boolean;
  /** A bare "ok" means this one. */
  readonly assent: boolean;
  /** Freezes the version that is shown. */
  readonly confirms: boolean;
  /** Closes the case. */
  readonly stops: boolean;
  /** The artifact that becomes pending again; what was made from it is invalid at once. */
  readonly reopens: string | null;
  /** The artifact to whose ordered notes the text is added. */
  readonly notes: string | null;
  /** The node that answers while the card stays open. */
  readonly aside: string | null;
  /** The prompt whose text is shown while the card stays open. */
  readonly says: string | null;
  /** An expression over the reader's output. */
  readonly when: { readonly expr: Expr; readonly source: string } | null;
}

/** How a node may end that is no output: an agent, judge or tool has edges `on` them. */
export const ENDS = ['failed', 'interrupted'] as const;

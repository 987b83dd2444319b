import type { ArtifactAnswer } from '@hearth/protocol/artifact.ts';
import type { Action, CardPause, InputPause } from '@hearth/protocol/pause.ts';

/* For tests: a card as `confirm-first` shows its second one, and the input that its execution may need. */

export const DIGEST = `sha256:${'ab12cd34'.repeat(8)}` as const;

export function actionOf(name: string, label: string, more: Partial<Action> = {}): Action {
  return { name, label, needs: 'nothing', confirms: false, enabled: true, button: true, ...more };
}

export const ACTIONS: readonly Action[] = [
  actionOf('change_request', 'Change request', { needs: 'feedback', reopens: 'interpretation' }),
  actionOf('revise', 'Revise approach', { needs: 'feedback' }),
  actionOf('new_task', 'New task', { button: false }),
  actionOf('confirm_standard', 'Confirm standard', { confirms: true }),
  actionOf('confirm_pseudocode', 'Confirm pseudocode', { confirms: true }),
  actionOf('stop', 'Stop', { stops: true }),
];

const base = {
  id: 'p5',
  run: 'r1',
  turn: 't2',
  node: 'check_approach',
  branch: null,
  openedAt: '',
  text: '',
} as const;

export function cardOf(more: Partial<CardPause> = {}): CardPause {
  return {
    ...base,
    kind: 'card',
    status: 'shown',
    title: 'Response Plan Pseudocode',
    shown: { artifact: 'approach', version: 2, digest: DIGEST },
    actions: [...ACTIONS],
    from: [{ artifact: 'interpretation', version: 3, digest: DIGEST }],
    findings: [],
    earlier: [1],
    assent: 'confirm_standard',
    ...more,
  };
}

export function inputOf(more: Partial<InputPause> = {}): InputPause {
  return {
    ...base,
    id: 'p6',
    node: 'wait_input',
    text: 'Which year is meant?',
    kind: 'input',
    fields: { type: 'object', properties: { data: { type: 'string' } }, required: ['data'] },
    actions: [
      actionOf('stop', 'Stop', { stops: true }),
      actionOf('change_request', 'Change request', { needs: 'feedback', reopens: 'interpretation' }),
    ],
    ...more,
  };
}

/** The answer to who asks for a version of an artifact; `null` when there is no such one. */
export function versionOf(
  bodies: ReadonlyMap<string, string>,
  path: string,
  since: string | null,
): ArtifactAnswer | null {
  const [, artifact = '', version = ''] = /\/artifacts\/([^/]+)\/(\d+)$/.exec(path) ?? [];
  const body = bodies.get(`${artifact}@${version}`);
  if (body === undefined) return null;
  const first = version === '1';
  return {
    ref: { artifact, version: Number(version), digest: DIGEST },
    body,
    from: [],
    madeBy: { node: 'draft', effect: 'e1', backend: 'rehearsal', model: 'small-1', session: null },
    findings: [],
    feedback: first ? null : 'cheapest first',
    at: '2026-01-01T00:00:00.000Z',
    ...(since === null
      ? {}
      : {
          changes: {
            since: Number(since),
            added: 1,
            removed: 0,
            lines: [
              { is: 'left', lines: 2 },
              { is: 'same', text: 'PRESENT a table' },
              { is: 'added', text: '    ORDERED BY price' },
            ],
          },
        }),
  };
}

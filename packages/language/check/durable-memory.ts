import type { Model } from '../compile/model.ts';
import { promptNames } from '../compile/uses.ts';
import { templateText } from '../refs/template-parser.ts';
import { readsMemory } from './memory.ts';
import type { Rule } from './rule.ts';

/** What a prompt that relies on durable memory speaks of: its tools, the brief that is kept in it, or itself. */
const PROMISE =
  /\bmemory_(?:read|write|list)\b|\bCONTEXT_BRIEF\.md\b|\b(?:durable|persistent|long-term|cross-session) (?:brief|memory)\b/gi;
/** How many characters of a sentence are looked at. */
const SENTENCE = 200;
/** A sentence so far that takes back what follows. */
const DENIAL = /(?:\b(?:no|not|never|nor|without|cannot)\b|n['’]t\b)[^.!?]*$/i;

/**
 * H008: a bot promises durable memory only where one of its nodes can write one. Otherwise the model is told of a place
 * that it cannot reach, and what it wants to keep is lost without a word.
 */
export const durableMemory: Rule = (model, report) => {
  if (keepsMemory(model)) return;
  const used = new Set(
    [...model.nodes.values()].flatMap(node => promptNames(model, node).map(one => one.name)),
  );
  for (const { name, file, parsed, place } of model.prompts.values()) {
    const found = used.has(name) ? promiseIn(templateText(parsed.template)) : undefined;
    if (found === undefined) continue;
    report.warn(
      'H008',
      `the prompt \`${name}\` speaks of \`${found[0]}\`, but no node can keep durable memory`,
      {
        at: place(found.index),
        file,
        fix: 'give an agent `memory:` on `backend: "model-api"`, or let the board be the record',
      },
    );
  }
};

/** The first promise of a text that its sentence does not deny. */
function promiseIn(text: string): RegExpExecArray | undefined {
  for (const found of text.matchAll(PROMISE)) {
    if (!DENIAL.test(text.slice(Math.max(0, found.index - SENTENCE), found.index))) return found;
  }
  return undefined;
}

/** Whether a node can write memory. A backend that is only known at run time might. */
function keepsMemory({ nodes, workflow }: Model): boolean {
  const fallback = workflow.properties.default_backend?.value ?? '';
  return [...nodes.values()].some(({ syntax }) => {
    if (syntax?.kind !== 'agent' && syntax?.kind !== 'judge') return false;
    const memory = syntax.properties.memory?.value;
    if (!memory?.enabled?.value || memory.write?.value === false) return false;
    const backend = syntax.properties.backend?.value || fallback;
    return backend === '' || backend.includes('$') || readsMemory(backend);
  });
}

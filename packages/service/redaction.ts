import type { Backend, BackendEvent, BackendRun } from '@hearth/engine/backend.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Facts, Log } from './log.ts';
import { namesSecret, REDACTED, type Redactor } from './secrets.ts';

/*
 * The places at which secrets are taken out: what backends and tools say, before anything of it becomes an event, and what
 * goes into the log. The words of a person are theirs and stay as they are.
 */

/** A backend whose events hold no secret. */
export function redactedBackend(backend: Backend, redactor: Redactor): Backend {
  return {
    name: backend.name,
    detect: async () => redactor.value(await backend.detect()),
    fingerprint: model => backend.fingerprint(model),
    start: (turn, host, signal) => redactedRun(backend.start(turn, host, signal), redactor),
  };
}

function redactedRun(run: BackendRun, redactor: Redactor): BackendRun {
  return {
    offer: message => run.offer(message),
    interrupt: () => run.interrupt(),
    async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
      for await (const event of run) yield redactor.value(event);
    },
  };
}

/** A tool whose answers hold no secret, for the model neither. */
export function redactedTool(tool: Tool, redactor: Redactor): Tool {
  return {
    ...tool,
    title: args => redactor.text(tool.title(args)),
    run: async (args, context) => redactor.value(await tool.run(args, context)),
  };
}

/** A log whose facts hold no secret, by their values and by their names. */
export function redactedLog(log: Log, redactor: Redactor): Log {
  return {
    write: (event, facts = {}) => log.write(event, redactedFacts(facts, redactor)),
    close: () => log.close(),
  };
}

function redactedFacts(facts: Facts, redactor: Redactor): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, namesSecret(name) ? REDACTED : redactor.value(fact)]),
  );
}

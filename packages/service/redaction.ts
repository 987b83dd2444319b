import { namesSecret } from '@hearth/backends/secret-variable.ts';
import type { Backend, BackendEvent, BackendRun, Host } from '@hearth/engine/backend.ts';
import type { Memories } from '@hearth/engine/memory.ts';
import type { Programs, ToolServers } from '@hearth/engine/surroundings.ts';
import type { Tool } from '@hearth/engine/tool.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Models } from './models.ts';
import type { Facts, Log } from './log.ts';
import { REDACTED, type Redactor } from './secrets.ts';

/*
 * The places at which secrets are taken out: what backends and tools say, before anything of it becomes an event, and what
 * goes into the log. The words of a person are theirs and stay as they are.
 */

/** A backend whose events hold no secret. */
export function redactedBackend(backend: Backend, redactor: Redactor): Backend {
  return {
    name: backend.name,
    capabilities: backend.capabilities,
    detect: async () => redactor.value(await backend.detect()),
    fingerprint: model => backend.fingerprint(model),
    start: (turn, host, signal) =>
      redactedRun(backend.start(turn, redactedHost(host, redactor), signal), redactor),
  };
}

/** A provider may quote in its refusal what it was asked with. */
export function redactedModels(models: Models, redactor: Redactor): Models {
  return {
    backends: async () => redactor.value(await models.backends()),
    providers: async () => redactor.value(await models.providers()),
    chosen: async () => redactor.value(await models.chosen()),
    trial: async model => redactor.value(await models.trial(model)),
    standard: models.standard,
  };
}

/** What a model asks for becomes events too. */
function redactedHost(host: Host, redactor: Redactor): Host {
  return {
    call: call => host.call(redactor.value(call)),
    permit: call => host.permit(redactor.value(call)),
  };
}

/** A disk for backends, which keep what a model said as it came: it takes no secret. */
export function redactedDisk(disk: Disk, redactor: Redactor): Disk {
  return {
    read: path => disk.read(path),
    readMany: paths => disk.readMany(paths),
    marksOf: paths => disk.marksOf(paths),
    readRange: (path, offset, length) => disk.readRange(path, offset, length),
    stat: path => disk.stat(path),
    usage: path => disk.usage(path),
    list: path => disk.list(path),
    makeDirectory: path => disk.makeDirectory(path),
    syncFile: path => disk.syncFile(path),
    syncDirectory: path => disk.syncDirectory(path),
    rename: (from, to) => disk.rename(from, to),
    truncate: (path, length) => disk.truncate(path, length),
    remove: path => disk.remove(path),
    moment: () => disk.moment(),
    write: (path, bytes) => disk.write(path, redactor.bytes(bytes)),
    append: async path => {
      const handle = await disk.append(path);
      return {
        write: bytes => handle.write(redactor.bytes(bytes)),
        sync: () => handle.sync(),
        close: () => handle.close(),
      };
    },
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
  const { name, description, capability, mutates, idempotent } = tool;
  return {
    name,
    description,
    ...(capability === undefined ? {} : { capability }),
    mutates,
    idempotent,
    get input() {
      return tool.input;
    },
    title: args => redactor.text(tool.title(args)),
    run: async (args, context) => redactor.value(await tool.run(args, context)),
  };
}

/** Tool servers whose tools tell no secret. */
export function redactedServers(servers: ToolServers, redactor: Redactor): ToolServers {
  return {
    connect: async (wanted, workspace, signal, env) => {
      try {
        const served = await servers.connect(wanted, workspace, signal, env);
        const tools = served.tools.map(({ dotted, tool }) => ({
          dotted,
          tool: redactedTool(tool, redactor),
        }));
        return { tools, close: () => served.close() };
      } catch (error) {
        throw new Error(redactor.text(error instanceof Error ? error.message : 'unknown'), { cause: error });
      }
    },
  };
}

/** Memories that tell no secret. */
export function redactedMemories(memories: Memories, redactor: Redactor): Memories {
  return {
    open: (wanted, place) => {
      const open = memories.open(wanted, place);
      const tools = open.tools.map(tool => redactedTool(tool, redactor));
      return { tools, opening: async () => redactor.text(await open.opening()) };
    },
  };
}

/** Programs whose output holds no secret. */
export function redactedPrograms(programs: Programs, redactor: Redactor): Programs {
  return { run: async program => redactor.value(await programs.run(program)) };
}

/** A log whose facts hold no secret, by their values and by their names. */
export function redactedLog(log: Log, redactor: Redactor): Log {
  return {
    write: (event, facts = {}, level) => log.write(event, redactedFacts(facts, redactor), level),
    close: () => log.close(),
  };
}

function redactedFacts(facts: Facts, redactor: Redactor): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, namesSecret(name) ? REDACTED : redactor.value(fact)]),
  );
}

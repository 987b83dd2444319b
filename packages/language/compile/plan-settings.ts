import type { AgentSyntax } from '../parse/agent.ts';
import type { AttachmentSyntax } from '../parse/attachments.ts';
import type { McpServerSyntax } from '../parse/mcp.ts';
import type { Property } from '../parse/properties.ts';
import type { SandboxSyntax } from '../parse/sandbox.ts';
import type {
  Attachment,
  Compaction,
  CursorSetting,
  Mcp,
  McpServer,
  Memory,
  Sandbox,
} from '../plan/settings.ts';
import { cursorsOf } from './cursors.ts';
import type { Model } from './model.ts';
import { sandboxOf } from './sandbox.ts';

/*
 * What surrounds the nodes, as the plan has it. `undefined` means that nothing was written, or nothing that has an effect.
 */

type Agent = AgentSyntax['properties'];

/** The tool servers of a node or workflow; `undefined` when its block is missing. */
export function mcpOf(block: Agent['mcp']): Mcp | undefined {
  if (block === undefined) return undefined;
  const { autoload_project: autoload, inherit, servers, disable } = block.value;
  return {
    autoloadProject: autoload?.value ?? null,
    inherit: inherit?.value ?? null,
    servers: servers?.value.map(one => one.value) ?? [],
    disable: disable?.value.map(one => one.value) ?? [],
  };
}

/** The tool server that a declaration becomes; an empty text counts as not written. */
export function mcpServerOf({ name, properties }: McpServerSyntax): McpServer {
  const { auth } = properties;
  const text = (property: Property<string> | undefined): string | null => property?.value || null;
  return {
    name: name.value,
    transport: properties.transport?.value ?? 'stdio',
    command: text(properties.command),
    args: properties.args?.value.map(one => one.value) ?? [],
    url: text(properties.url),
    auth: auth
      ? {
          authUrl: auth.value.auth_url?.value ?? '',
          tokenUrl: auth.value.token_url?.value ?? '',
          revokeUrl: text(auth.value.revoke_url),
          clientId: auth.value.client_id?.value ?? '',
          scopes: auth.value.scopes?.value.map(one => one.value) ?? [],
        }
      : null,
  };
}

/** The node's own word, else the workflow's; 0 says nothing. */
export function compactionOf(own: Agent['compaction'], all: Agent['compaction']): Compaction | undefined {
  const threshold = own?.value.threshold?.value || all?.value.threshold?.value || null;
  const preserveRecent = own?.value.preserve_recent?.value || all?.value.preserve_recent?.value || null;
  return threshold === null && preserveRecent === null ? undefined : { threshold, preserveRecent };
}

/** The memory of an agent; `undefined` unless it is enabled. */
export function memoryOf(block: Agent['memory']): Memory | undefined {
  if (!block?.value.enabled?.value) return undefined;
  const { scope, autoload, read, write, pre_compact_inject: inject, visibility } = block.value;
  const globs = autoload?.value.map(one => one.value) ?? [];
  return {
    scope: scope?.value ?? '',
    autoload: globs.length === 0 ? null : globs,
    read: read?.value ?? true,
    write: write?.value ?? true,
    preCompactInject: inject?.value ?? false,
    ...(visibility ? { visibility: visibility.value } : {}),
  };
}

/** The sandbox that a property asks for; `undefined` when it asks for none or cannot be read. */
export function ownSandbox(property: Property<SandboxSyntax> | undefined): Sandbox | undefined {
  const found = property && sandboxOf(property.value);
  return found && 'mode' in found ? found : undefined;
}

/** The declared cursors that an agent sets, by name; set twice, the last one counts. */
export function cursorSettingsOf(
  model: Model,
  block: Agent['cursors'],
): readonly CursorSetting[] | undefined {
  if (!block?.value.enabled) return undefined;
  const { cursors } = cursorsOf(model.file);
  const last = new Map(block.value.settings.map(({ name, value }) => [name.value, value.value]));
  const settings = [...last]
    .filter(([name]) => cursors.has(name))
    .map(([name, value]) => ({ name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return settings.length === 0 ? undefined : settings;
}

/** The attachment that a declaration becomes. */
export function attachmentOf({ name, type, properties }: AttachmentSyntax): Attachment {
  const accept = properties.accept_mime?.value.map(one => one.value) ?? [];
  return {
    name: name.value,
    type,
    description: properties.description?.value ?? null,
    accept: accept.length === 0 ? null : accept,
    required: properties.required?.value ?? false,
  };
}

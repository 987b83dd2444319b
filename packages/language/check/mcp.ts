import { sandboxIsActive } from '../compile/sandbox.ts';
import type { Report } from '../compile/report.ts';
import type { McpServerSyntax } from '../parse/mcp.ts';
import { repeated } from './names.ts';
import type { Rule } from './rule.ts';

/** C024, C025: a tool server is declared once, with what its transport needs. */
export const mcpServers: Rule = ({ file }, report) => {
  const servers = file.declarations.filter(one => one.kind === 'mcp_server');
  for (const { value, at } of repeated(servers.map(one => one.name))) {
    report.error('C024', `the mcp_server \`${value}\` is declared twice; only the first counts`, { at });
  }
  for (const server of firsts(servers)) checkTransport(server, report);
};

/** The servers that count: of a name the first. */
function firsts(servers: readonly McpServerSyntax[]): readonly McpServerSyntax[] {
  const seen = new Set<string>();
  return servers.filter(({ name }) => seen.size !== seen.add(name.value).size);
}

function isEmpty(property: { readonly value: { readonly length: number } } | undefined): boolean {
  return property === undefined || property.value.length === 0;
}

function checkTransport({ name, properties }: McpServerSyntax, report: Report): void {
  const { transport, command, args, url } = properties;
  const wrong = (message: string, at = name.at): void =>
    report.error('C025', `the mcp_server \`${name.value}\` ${message}`, { at });
  if (transport === undefined) return wrong('has no transport');
  if (transport.value === 'stdio') {
    if (isEmpty(command)) wrong('talks over stdio and needs a command');
    if (url && !isEmpty(url)) wrong('talks over stdio and has no url', url.key);
    return;
  }
  if (isEmpty(url)) wrong(`talks over ${transport.value} and needs a url`);
  if (command && !isEmpty(command)) {
    wrong(`talks over ${transport.value} and starts no command`, command.key);
  }
  if (args && !isEmpty(args)) wrong(`talks over ${transport.value} and takes no args`, args.key);
}

/** C038: the authentication of a tool server is a complete oauth2. Each part that is missing or wrong is told. */
export const mcpAuth: Rule = ({ file }, report) => {
  const servers = file.declarations.filter(one => one.kind === 'mcp_server');
  for (const { name, properties } of firsts(servers)) {
    if (!properties.auth) continue;
    const { value: auth, key } = properties.auth;
    const wrong = (message: string, at = key): void =>
      report.error('C038', `the authentication of \`${name.value}\` ${message}`, {
        at,
        fix: 'it needs `type: "oauth2"`, an `auth_url`, a `token_url` and a `client_id`',
      });
    if (auth.type?.value !== 'oauth2') {
      const type = auth.type?.value ?? '';
      wrong(type === '' ? 'has no type' : `is \`${type}\`, not \`oauth2\``, auth.type?.at);
      continue;
    }
    for (const part of ['auth_url', 'token_url', 'revoke_url'] as const) {
      const url = auth[part];
      if (isEmpty(url) && part !== 'revoke_url') wrong(`has no \`${part}\``, url?.at);
      else if (url && !isEmpty(url) && !isWebAddress(url.value)) {
        wrong(`has \`${part}: "${url.value}"\`, which is no http or https address`, url.at);
      }
    }
    if (isEmpty(auth.client_id)) wrong('has no `client_id`', auth.client_id?.at);
  }
};

/** An absolute address with a host. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/?#\s]+(?:[/?#]|$)/i.test(text.trim());
}

/** C060: a browser server in a sandbox needs an image that has a browser. */
export const browserServers: Rule = (model, report) => {
  const image = model.workflow.properties.sandbox?.value.properties.image?.value ?? '';
  if (!sandboxIsActive(model) || /sandbox-(?:full-)?browser/i.test(image)) return;
  const servers = model.file.declarations.filter(one => one.kind === 'mcp_server');
  for (const server of firsts(servers)) {
    const { args } = server.properties;
    const command = server.properties.command?.value.toLowerCase() ?? '';
    const direct = /playwright[-_]mcp/.test(command);
    const fetched = command === 'npx' && args?.value.some(arg => /@playwright\/mcp/i.test(arg.value));
    if (!direct && !fetched) continue;
    report.error('C060', `\`${server.name.value}\` drives a browser, and the sandbox's image has none`, {
      at: server.name.at,
    });
  }
};

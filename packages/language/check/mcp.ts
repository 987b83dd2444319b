import type { Report } from '../compile/report.ts';
import type { McpServerSyntax } from '../parse/mcp.ts';
import { repeated } from './names.ts';
import type { Rule } from './rule.ts';
import { sandboxIsActive } from './sandbox.ts';

/** C024, C025: a tool server is declared once, with what its transport needs. */
export const mcpServers: Rule = ({ file }, report) => {
  const servers = file.declarations.filter(one => one.kind === 'mcp_server');
  for (const { value, at } of repeated(servers.map(one => one.name))) {
    report.error('C024', `the mcp_server \`${value}\` is declared twice; only the first counts`, { at });
  }
  for (const server of servers) checkTransport(server, report);
};

function checkTransport({ name, properties }: McpServerSyntax, report: Report): void {
  const { transport, command, args, url } = properties;
  const wrong = (message: string, at = name.at): void =>
    report.error('C025', `the mcp_server \`${name.value}\` ${message}`, { at });
  if (transport === undefined) return wrong('has no transport');
  if (transport.value === 'stdio') {
    if (!command) wrong('talks over stdio and needs a command');
    if (url) wrong('talks over stdio and has no url', url.key);
    return;
  }
  if (!url) wrong(`talks over ${transport.value} and needs a url`);
  if (command) wrong(`talks over ${transport.value} and starts no command`, command.key);
  if (args) wrong(`talks over ${transport.value} and takes no args`, args.key);
}

const WEB = /^https?:\/\//;

/** C038: the authentication of a tool server is a complete oauth2. */
export const mcpAuth: Rule = ({ file }, report) => {
  for (const server of file.declarations) {
    if (server.kind !== 'mcp_server' || !server.properties.auth) continue;
    const { value, key } = server.properties.auth;
    const complete =
      value.type?.value === 'oauth2' &&
      WEB.test(value.auth_url?.value ?? '') &&
      WEB.test(value.token_url?.value ?? '') &&
      (value.client_id?.value ?? '') !== '' &&
      (!value.revoke_url || WEB.test(value.revoke_url.value));
    if (complete) continue;
    report.error('C038', `the authentication of \`${server.name.value}\` is no complete oauth2`, {
      at: key,
      fix: 'it needs `type: "oauth2"`, an `auth_url`, a `token_url` and a `client_id`',
    });
  }
};

/** C060: a browser server in a sandbox needs an image that has a browser. */
export const browserServers: Rule = (model, report) => {
  const image = model.workflow.properties.sandbox?.value.properties.image?.value ?? '';
  if (!sandboxIsActive(model) || /sandbox-(?:full-)?browser/.test(image)) return;
  for (const server of model.file.declarations) {
    if (server.kind !== 'mcp_server') continue;
    const { command, args } = server.properties;
    const direct = /playwright[-_]mcp/.test(command?.value ?? '');
    const fetched =
      command?.value === 'npx' && args?.value.some(arg => arg.value.includes('@playwright/mcp'));
    if (!direct && !fetched) continue;
    report.error('C060', `\`${server.name.value}\` drives a browser, and the sandbox's image has none`, {
      at: server.name.at,
    });
  }
};

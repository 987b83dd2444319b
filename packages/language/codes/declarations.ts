import { type Code, error } from './code.ts';
import { beside, plain, withProperty, workflow } from './sources.ts';

const server = (name: string, properties: string): string => `mcp_server ${name}:\n  ${properties}`;
const cursor = (properties: string): string => `cursor zeal:\n  ${properties}`;
const preset = (entries: string): string => beside(`vars:\n  x: int\n\npresets:\n  ${entries}`);
const OAUTH =
  'type: "oauth2"\n    auth_url: "https://h/a"\n    token_url: "https://h/t"\n    client_id: "me"';
const BROWSER = 'transport: stdio\n  command: "npx"\n  args: ["@playwright/mcp"]';

/** What the compiler says about tool servers, sandboxes, attachments, presets and cursors. */
export const DECLARATIONS: readonly Code[] = [
  error('C024', {
    meaning: 'a tool server declared twice',
    mend: 'rename one of the two, or take one out',
    wrong: beside(
      `${server('x', 'transport: stdio\n  command: "c"')}\n\n${server('x', 'transport: stdio\n  command: "d"')}`,
    ),
    right: beside(
      `${server('x', 'transport: stdio\n  command: "c"')}\n\n${server('y', 'transport: stdio\n  command: "d"')}`,
    ),
  }),
  error('C025', {
    meaning: 'a tool server that does not fit its transport',
    mend: '`stdio` takes a `command` and `args`; `http` and `sse` take a `url`',
    wrong: beside(server('x', 'transport: http\n  command: "c"')),
    right: beside(server('x', 'transport: http\n  url: "http://localhost/x"')),
  }),
  error('C038', {
    meaning: 'an authentication that is no complete oauth2',
    mend: 'give it `type: "oauth2"`, an `auth_url`, a `token_url` and a `client_id`',
    wrong: beside(server('x', 'transport: http\n  url: "http://h/x"\n  auth:\n    type: "basic"')),
    right: beside(server('x', `transport: http\n  url: "http://h/x"\n  auth:\n    ${OAUTH}`)),
  }),
  error('C044', {
    meaning: 'a sandbox that is not consistent',
    mend: 'write `none`, `auto` or `inline`; an inline sandbox has either an image or a build',
    wrong: plain('a') + workflow('a', 'sandbox: maybe', 'a -> done'),
    right: plain('a') + workflow('a', 'sandbox: none', 'a -> done'),
  }),
  error('C050', {
    meaning: 'an attachment declared twice',
    mend: 'rename one of the two, or take one out',
    wrong: beside('attachments:\n  f: file\n  f: image'),
    right: beside('attachments:\n  f: file\n  g: image'),
  }),
  error('C051', {
    meaning: 'one name for an attachment and a var',
    mend: 'rename one of the two',
    wrong: beside('vars:\n  f: string\n\nattachments:\n  f: file'),
    right: beside('vars:\n  f: string\n\nattachments:\n  g: file'),
  }),
  error('C052', {
    meaning: 'a type of file that is none',
    mend: 'write a MIME type, like `application/pdf` or `image/*`',
    wrong: beside('attachments:\n  f: file\n    accept_mime: ["pdf"]'),
    right: beside('attachments:\n  f: file\n    accept_mime: ["application/pdf"]'),
  }),
  error('C060', {
    meaning: 'a browser in a sandbox without one',
    mend: 'give the sandbox an image with a browser, or take the sandbox away',
    wrong: `${server('pw', BROWSER)}\n\n${plain('a')}${workflow('a', 'sandbox: auto', 'a -> done')}`,
    right: `${server('pw', BROWSER)}\n\n${plain('a')}${workflow('a', 'a -> done')}`,
  }),
  error('C070', {
    meaning: 'a preset for an unknown var',
    mend: 'declare the var, or write the name of one that is declared',
    wrong: preset('q:\n    y: 1'),
    right: preset('q:\n    x: 1'),
  }),
  error('C071', {
    meaning: 'a preset of another type',
    mend: 'write a value of the type that the var has; `json` and `string[]` are written in quotes',
    wrong: preset('q:\n    x: "one"'),
    right: preset('q:\n    x: 1'),
  }),
  error('C072', {
    meaning: 'a preset declared twice',
    mend: 'rename one of the two, or take one out',
    wrong: preset('q:\n    x: 1\n  q:\n    x: 2'),
    right: preset('q:\n    x: 1\n  r:\n    x: 2'),
  }),
  error('C085', {
    meaning: 'a cursor that is not well declared',
    mend: 'give it either `values:` with distinct names, or `bands:` with ranges in 0..1 that do not overlap',
    wrong: beside(cursor('description: "x"')),
    right: beside(cursor('description: "x"\n  values:\n    low: "be calm"')),
  }),
  error('C086', {
    meaning: 'a cursor declared twice',
    mend: 'rename one of the two, or take one out',
    wrong: beside(`${cursor('values:\n    low: "x"')}\n\n${cursor('values:\n    low: "x"')}`),
    right: withProperty('readonly: true'),
  }),
];

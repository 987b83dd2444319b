import { type BundleCode, manifest, skill, unseen } from './bundle-code.ts';
import { BUNDLE_FILES } from './bundle-files.ts';

/*
 * What is said about the files of a bundle beside its graph. The compiler sees only texts, so these are given by whoever
 * reads the bundle; they stand here because everything that explains codes needs them.
 */

/** The graph of the bundle in which the examples are wrong or right. */
export const BUNDLE_MAIN = `vars:
  first: string = ""
  count: int = 0

schema words:
  message: string

human chat:
  output: words

compute echo:
  output: words
  expr:
    message: "input.message"

workflow talk:
  entry: chat
  chat -> echo with { message: "{{outputs.chat.message}}" }
  echo -> done
`;

/** Every code of a bundle's files. */
export const BUNDLES: readonly BundleCode[] = [
  manifest(
    'warning',
    'C200',
    {
      meaning: 'dispatch_vars that name no var of the workflow',
      mend: 'write names of vars that the workflow declares',
    },
    'dispatch_vars: [frist]\n',
    'dispatch_vars: [first]\n',
  ),
  manifest(
    'warning',
    'C201',
    {
      meaning: 'context_vars of an invocation that name no var of the workflow',
      mend: 'write names of vars that the workflow declares',
    },
    'invocations:\n  - kind: page\n    context_vars: [frist]\n',
    'invocations:\n  - kind: page\n    context_vars: [first]\n',
  ),
  manifest(
    'warning',
    'C202',
    {
      meaning: 'default_vars of a schedule that name no var of the workflow',
      mend: 'write names of vars that the workflow declares',
    },
    'invocations:\n  - kind: schedule\n    schedule:\n      default_vars: { frist: "go" }\n',
    'invocations:\n  - kind: schedule\n    schedule:\n      default_vars: { first: "go" }\n',
  ),
  manifest(
    'warning',
    'C203',
    {
      meaning: 'launch_vars of a webhook that name no var of the workflow',
      mend: 'write names of vars that the workflow declares',
    },
    'forge:\n  webhook:\n    launch_vars: [frist]\n',
    'forge:\n  webhook:\n    launch_vars: [first]\n',
  ),
  manifest(
    'warning',
    'C204',
    {
      meaning: 'an args_var that names no var of the workflow',
      mend: 'write the name of a var that the workflow declares',
    },
    'invocations:\n  - kind: command\n    args_var: frist\n',
    'invocations:\n  - kind: command\n    args_var: first\n',
  ),
  manifest(
    'error',
    'C205',
    {
      meaning: 'a chat that names a node which the workflow does not have',
      mend: 'write the name of a node, or take the entry out',
    },
    'chat:\n  nodes:\n    caht: { kind: human }\n',
    'chat:\n  nodes:\n    chat: { kind: human }\n',
  ),
  manifest(
    'error',
    'C206',
    {
      meaning: 'a chat that calls a node human which is none',
      mend: 'write `silent` or `banner`, or name the human node',
    },
    'chat:\n  nodes:\n    echo: { kind: human }\n',
    'chat:\n  nodes:\n    echo: { kind: silent }\n',
  ),
  manifest(
    'error',
    'C207',
    {
      meaning: 'a field of a chat that is not in the output of its node, or not of its type',
      mend: 'name a string field for `text_field` and `summary_field`, and a bool field for `approved_field`',
    },
    'chat:\n  nodes:\n    chat: { kind: human, text_field: text }\n',
    'chat:\n  nodes:\n    chat: { kind: human, text_field: message }\n',
  ),
  manifest(
    'error',
    'C208',
    {
      meaning: 'a seed_var that is no string var of the workflow',
      mend: 'name the string var that takes the first message',
    },
    'chat:\n  seed_var: count\n',
    'chat:\n  seed_var: first\n',
  ),
  manifest(
    'error',
    'C209',
    {
      meaning: 'a launcher var that is no string var of the workflow',
      mend: 'name string vars that the workflow declares',
    },
    'chat:\n  launcher_vars: [count]\n',
    'chat:\n  launcher_vars: [first]\n',
  ),
  unseen('warning', 'C210', {
    meaning: 'a secret of the forge that the workflow does not declare',
    mend: 'declare it under `secrets:` in the graph, with `as: file`',
  }),
  unseen('warning', 'C211', {
    meaning: 'a secret of the forge that is no file',
    mend: 'write `as: file` at the secret',
  }),
  manifest(
    'warning',
    'C212',
    {
      meaning: 'a host_event_field for a node that no host answers',
      mend: 'take the line out: a person answers the node',
    },
    'chat:\n  nodes:\n    chat: { kind: human, host_event_field: event }\n',
    'chat:\n  nodes:\n    chat: { kind: human }\n',
  ),
  manifest(
    'warning',
    'C220',
    {
      meaning: 'a capability in the manifest that no node has',
      mend: 'give it to the node that needs it, or take it out of the manifest',
    },
    'capabilities: [board.read]\n',
    'capabilities: []\n',
  ),
  unseen('error', 'C230', {
    meaning: 'memory for one bot, in a bundle whose names are not one',
    mend: 'give the workflow, the bundle and its directory the same name',
  }),
  skill(
    'C231',
    {
      meaning: 'a skill that calls itself by another name than its directory’s',
      mend: 'write the name of the directory, or rename the directory',
    },
    '---\nname: hear\ndescription: How to listen well.\n---\nSay nothing.\n',
    '---\nname: listen\ndescription: How to listen well.\n---\nSay nothing.\n',
  ),
  skill(
    'C232',
    {
      meaning: 'a skill without a description',
      mend: 'begin the file with a frontmatter that has a `description`',
    },
    'Say nothing.\n',
    '---\ndescription: How to listen well.\n---\nSay nothing.\n',
  ),
  skill(
    'C233',
    {
      meaning: 'a description of a skill that is too short to choose by',
      mend: 'say in one sentence when an agent should read the skill',
    },
    '---\ndescription: Listen.\n---\nSay nothing.\n',
    '---\ndescription: How to listen well.\n---\nSay nothing.\n',
  ),
  unseen('warning', 'C234', {
    meaning: 'two skills that call themselves the same',
    mend: 'give each skill a name of its own',
  }),
  manifest(
    'error',
    'C250',
    {
      meaning: 'a bot that requires a later Hearth',
      mend: 'update Hearth, or lower the requirement',
    },
    'requires:\n  hearth: ">= 999.0.0"\n',
    'requires:\n  hearth: ">= 0.0.1"\n',
  ),
  manifest(
    'warning',
    'C251',
    {
      meaning: 'a requirement that cannot be checked',
      mend: 'write it like `hearth: ">= 1.2.3"`; requirements of other engines mean nothing here',
    },
    'requires:\n  hearth: "any"\n',
    'requires:\n  hearth: ">= 0.0.1"\n',
  ),
  ...BUNDLE_FILES,
];

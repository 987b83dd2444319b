/*
 * The files of a new bot: a loop of an agent and a person that runs as it is, with the bot's manner in a file of its own.
 */

/** What a bot may be called: also the name of its folder. */
export const BOT_NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** The files of a bot by their path inside its folder, in the order in which a person reads them. */
export function scaffold(name: string): ReadonlyMap<string, string> {
  return new Map([
    ['main.bot', graph(name)],
    ['prompts/manner.md', MANNER],
    ['manifest.yaml', manifest(name)],
  ]);
}

function graph(name: string): string {
  // A name of the language has no dashes.
  const word = name.replaceAll('-', '_');
  return `## ${name}: an agent and a person who talk in turns. How the agent behaves is in prompts/manner.md.
##
##   seed -> assistant -> done     when the person asked to end the conversation
##           ^       |
##           + chat -+             otherwise, in the same session

vars:
  ## The first message. Empty means that someone has just arrived.
  initial_message: string = ""

schema words:
  message: string

## What every turn of the agent ends with. Chips are at most four short messages to choose from.
schema turn:
  reply: string
  quick_replies: json
  close: bool

schema shown:
  reply: string
  quick_replies: json

prompt said:
  {{input.message}}

prompt chat_text:
  {{input.reply}}

compute seed:
  output: words
  expr:
    message: "vars.initial_message"

agent assistant:
  model: "\${HEARTH_MODEL:-auto}"
  input: words
  output: turn
  system: manner
  user: said
  session: inherit_if_available
  interaction: human
  ## Reading only. Add write_file or bash when it shall change things.
  tools: [read_file, glob, grep]

human chat:
  input: shown
  output: words
  instructions: chat_text

workflow ${word}:
  entry: seed
  worktree: none
  ## The limits of what one message sets off. Waiting for the person costs nothing.
  budget:
    max_duration: "10m"
    max_cost_usd: 1

  seed -> assistant with { message: "{{outputs.seed.message}}" }
  assistant -> done when close
  assistant -> chat with {
    reply: "{{outputs.assistant.reply}}",
    quick_replies: "{{outputs.assistant.quick_replies}}"
  }
  ## The two keys carry the session: without them the agent forgets every turn.
  chat -> assistant as talk(1000) with {
    message: "{{outputs.chat.message}}",
    _session_id: "{{outputs.assistant._session_id}}",
    _session_fingerprint: "{{outputs.assistant._session_fingerprint}}"
  }
`;
}

const MANNER = `You help the person with the project in the folder where you work.

Answer in the language of the message, in a few sentences. Read a file before you say what is in it. When you do not
know, say so, and ask with \`ask_user\` when only the person can decide.

An empty message means that someone has just arrived: greet them in one line and say what you can do.

Put your words into \`reply\`. Put up to four short messages that the person may want to send next into
\`quick_replies\`, or none. Set \`close\` to true only when you are asked to end the conversation.
`;

function manifest(name: string): string {
  // In quotes, since `true` and `null` alone would be no text.
  return `name: "${name}"
version: 0.1.0
display_name: "${name}"
description: An agent and a person who talk in turns.
chat:
  seed_var: initial_message
  nodes:
    seed: { kind: silent }
    assistant: { kind: silent }
    chat: { kind: human, text_field: message }
`;
}

import { EXIT } from '@hearth/protocol/exit-code.ts';
import { RefusalCode } from '@hearth/protocol/receipt.ts';
import { Recovery } from '@hearth/protocol/recovery.ts';
import { statusOf } from '@hearth/service/problem.ts';
import { code, table } from './markdown.ts';

/** What each exit code says. */
const EXITS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'Done: the turn is settled, or the command did what it says.',
  failed: 'The turn failed or was cancelled, or the command was refused.',
  gate: 'Only a card waits, for a confirmation.',
  waiting: 'A question, an input, a permission or a recovery waits for an answer.',
  environment: 'The backend, the service, the home or the disk failed.',
  usage: 'The command line is wrong.',
  interrupted: 'Interrupted with ctrl-C while waiting; what was accepted goes on.',
};

export function exitCodes(): string {
  const names = Object.keys(EXITS) as (keyof typeof EXIT)[];
  return table(
    ['Code', 'Means'],
    names.map(name => [code(String(EXIT[name])), EXITS[name]]),
  );
}

/** Why a command is refused. */
const REFUSALS: Readonly<Record<RefusalCode, string>> = {
  command_conflict: 'The command id was used for something else.',
  unknown_pause: 'There never was such a pause here.',
  closed: 'The pause was answered, cancelled or superseded; the refusal says by whom and when.',
  wrong_state: 'The act does not belong to this pause, or the limit cannot be raised like that.',
  busy: 'The card is being redrafted.',
  wrong_artifact: 'The card shows another artifact.',
  stale_version: 'The card shows another version than the one decided on.',
  digest_mismatch: 'The artifact has another digest than the one decided on.',
  not_permitted: 'The actor may not decide.',
  feedback_required: 'The action needs words.',
  kind_required: 'A confirmation came with feedback, and more than one revising action exists.',
  invalid_choice: 'No such option, no free text allowed, or the fields do not fit.',
  revision_conflict: 'The conversation moved on since the revision that the message expects.',
  turn_active: 'A turn is under way and the message asked not to be queued.',
  unknown_message: 'There is no such message.',
  unknown_turn: 'No such turn runs or is queued.',
  unknown_rule: 'No such rule is kept in the conversation.',
  already_taken: 'The message is not queued any more, or is on its way to the running turn.',
  default: 'The default conversation is never closed.',
  active: 'A turn is queued or running.',
  empty_message: 'The message is empty, and no greeting is due.',
  queue_full: 'A hundred messages, or four million characters, wait already.',
  invalid_vars: 'The bot has no such var, or it is of another type.',
  invalid_attachment:
    'A file was not uploaded, the bot has no such attachment or takes no such file, or it is left without one that it requires.',
  missing_secret: 'A run would begin without a secret that its bot needs.',
  too_large: 'The text is larger than 1 MiB.',
  not_supported: 'This version cannot do that.',
};

export function refusals(): string {
  return table(
    ['Code', 'Status', 'When'],
    RefusalCode.options.map(name => [code(name), String(statusOf(name)), REFUSALS[name]]),
  );
}

/** Problems that no conversation gives: the request, the service, a bot, the board. */
export const PROBLEMS: Readonly<Record<string, string>> = {
  malformed: 'The body is not JSON in UTF-8, or broke off; or what was asked for is no address.',
  unauthorized: 'There is neither the home’s token as bearer nor a session.',
  code_unusable: 'The code of a login was used already, or is too old.',
  foreign_host: 'The Host header does not name loopback and the port.',
  foreign_origin:
    'The Origin header is not the service’s own, or a session was used from elsewhere than its page.',
  not_found: 'There is no such route.',
  unknown_conversation: 'There is no such conversation, or it was closed.',
  default_missing: 'The home has no default conversation.',
  default_ambiguous: 'More than one conversation claims to be the default.',
  unknown_blob: 'The conversation holds no such text or attachment.',
  unknown_artifact: 'The conversation has no such version of an artifact.',
  unknown_bot: 'There is no such bot.',
  broken_bot: 'The bot does not compile; `diagnostics` says why.',
  unsupported_bot: 'The bot compiles, but this version cannot run all of it yet.',
  damaged_conversation: 'The conversation cannot be read; the sentence says why, and where it is now.',
  not_global: 'A conversation that works in one directory only cannot be the default.',
  still_there: 'What is to be restored is not only in the trash.',
  ambiguous_conversation: 'The beginning of an id fits several conversations.',
  unknown_ticket: 'The board has no such ticket.',
  unknown_workspace: 'There is no such directory.',
  unknown_session: 'The caller holds the token and has no session of a browser.',
  unknown_run: 'There is no run of that name here, or nothing of it is kept.',
  not_recordable: 'The run cannot be played again; the sentence says why.',
  method_not_allowed: 'The route has no such method.',
  unsupported_media_type: 'The body is not declared as JSON.',
  invalid: 'A field of the body or the query is not as it should be.',
  unknown_state: 'A ticket has no such state.',
  invalid_ticket: 'A ticket without a title, or a comment without words.',
  archive_invalid: 'The archive is not one that can be imported; the sentence says why.',
  invalid_import: 'The import cannot be read; the sentence names the line.',
  invalid_workspace: 'The workspace is not an absolute path of a directory.',
  claim_lost: 'Somebody else works on the ticket meanwhile.',
  ticket_damaged: 'The ticket’s file cannot be read.',
  board_damaged: 'A file of the board cannot be read.',
  too_many_streams: 'Too many streams are open.',
  too_many_attempts: 'Too many codes of a login were wrong; `Retry-After` says when the next may be tried.',
  too_many_requests: 'One connection asks too much; `Retry-After` says when it may go on.',
  internal: 'Something went wrong inside; the log of the service says where.',
  disk_failed: 'The disk failed.',
  disk_full: 'The disk is full.',
  read_only: 'The disk takes no writes.',
  no_permission: 'A file of the home may not be read or written.',
  damaged_file: 'A file of the home cannot be read.',
  settings_invalid: 'The settings of the home are not as they should be; the sentence says what and where.',
  failed: 'A fault of the program itself; the sentence says what can be done.',
  stopping: 'The service is stopping.',
  studio_unbuilt: 'The studio did not come with the installation, or its build failed.',
};

export function problems(): string {
  return table(
    ['Code', 'Status', 'When'],
    Object.entries(PROBLEMS).map(([name, when]) => [code(name), String(statusOf(name)), when]),
  );
}

/** When a stream or a page cannot continue. */
const RECOVERIES: Readonly<Record<Recovery['code'], string>> = {
  cursor_expired: 'Events after the cursor were trimmed.',
  cursor_ahead: 'The cursor lies beyond the end of the log.',
  epoch_changed: 'The conversation was begun anew or restored since.',
  cursor_invalid: 'The text is no cursor, or none of this conversation.',
  unknown_conversation: 'There is no such conversation.',
};

export function recoveries(): string {
  return table(
    ['Code', 'When'],
    Recovery.shape.code.options.map(name => [code(name), RECOVERIES[name]]),
  );
}

import { sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { KnownModel, ModelList } from '@hearth/protocol/models.ts';
import { type Invocation, UsageError } from './command.ts';
import { botNamed } from './bot.ts';
import { findConversation } from './conversation.ts';
import { print, printJson } from './output.ts';
import { connect } from './supervisor.ts';
import { typedIn } from './workspace.ts';

/* `hearth model`: which backends and models there are, whether one answers, and which one bots get that leave it open. */

/** `hearth model` */
export async function listModels(call: Invocation): Promise<ExitCode> {
  return told(call, await (await connect(call.io, 'cli')).models());
}

/** `hearth model test [MODEL]`: exit code 4 when nothing answers. */
export async function testModel(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const client = await connect(io, 'cli');
  const trial = await client.testModel(call.words[0] ?? 'auto');
  if (call.flag('json')) printJson(io, trial);
  else if (trial.ok)
    print(io, `${sanitiseLine(`${trial.provider}, ${trial.model}`)}: ${sanitiseLine(trial.said)}`);
  else io.stderr.write(`hearth: ${sanitiseLine(trial.message)} (${sanitiseLine(trial.code)})\n`);
  return trial.ok ? EXIT.done : EXIT.environment;
}

/** `hearth model use MODEL`, for all bots, for one, or for a conversation. */
export async function useModel(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const [model = ''] = call.words;
  const [bot, named] = [call.option('bot'), call.option('conversation')];
  if (bot !== null && named !== null)
    throw new UsageError(
      'It is set for a bot or for a conversation: leave one of --bot and --conversation out.',
    );
  if (model.trim() === '') throw new UsageError('Name a backend or a model, or "auto" to leave it open.');
  const client = await connect(io, 'cli');
  if (named === null) {
    const list = await client.setDefaultModel(model, bot === null ? {} : { bot: botNamed(bot, typedIn(io)) });
    return told(call, list);
  }
  const { view } = await client.patch(await findConversation(client, named), { model });
  if (call.flag('json')) printJson(io, view);
  else print(io, `${view.id} works with ${view.model ?? 'what everything else gets'} from the next turn on.`);
  return EXIT.done;
}

function told(call: Invocation, list: ModelList): ExitCode {
  if (call.flag('json')) printJson(call.io, list);
  else print(call.io, linesOf(list).join('\n'));
  return EXIT.done;
}

function linesOf({ backends, providers, known, default: standard, bots, chosen }: ModelList): string[] {
  const width = Math.max(...backends.map(({ name }) => name.length));
  const wide = Math.max(...providers.map(({ id }) => id.length));
  const reachable = new Set(providers.filter(({ usable }) => usable).map(({ id }): string => id));
  const shown = known.filter(({ provider }) => reachable.has(provider));
  return [
    'Backends (* is what bots get that leave the choice open):',
    ...backends.map(one => {
      const version = one.version === undefined ? '' : ` ${one.version}`;
      const state = one.usable ? `there${version}` : 'not there';
      return `${one.chosen ? '*' : ' '} ${one.name.padEnd(width)}  ${sanitiseLine(`${state}: ${one.why}`)}`;
    }),
    sanitiseLine(`${chosen.name} was chosen: ${chosen.why.replace(/\.$/, '')}.`),
    '',
    'Providers of model-api:',
    ...providers.map(one => {
      const at = one.usable && one.address !== null ? ` at ${one.address}` : '';
      const state = one.usable ? `there${at}: ` : 'not there: ';
      return `  ${one.id.padEnd(wide)}  ${sanitiseLine(`${state}${one.why}`)}`;
    }),
    ...(shown.length === 0
      ? []
      : ['', 'Models, their context, and US dollars for a million tokens in and out:']),
    ...shown.map(modelLine),
    '',
    `Default: ${sanitiseLine(standard.model)} (${standard.by === 'environment' ? 'HEARTH_MODEL' : 'settings'})`,
    ...Object.entries(bots).map(([bot, model]) => `  ${sanitiseLine(`${bot}: ${model}`)}`),
  ];
}

function modelLine({ provider, model, window, price }: KnownModel): string {
  const size = window === null ? 'context unknown' : `${window.toLocaleString('en')} tokens`;
  const cost = price === null ? 'price unknown' : `$${price.input} and $${price.output}`;
  return `  ${sanitiseLine(`${provider}/${model}`)}  ${size}, ${cost}`;
}

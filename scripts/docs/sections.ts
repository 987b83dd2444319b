import { hello, migrate } from './bundles.ts';
import { exitCodes, problems, recoveries, refusals } from './codes.ts';
import { boardCommands, commands, consoleCommands, dispatchCommands } from './commands.ts';
import { decisions } from './decisions.ts';
import { dependencies } from './dependencies.ts';
import { events } from './events.ts';
import {
  bundleDiagnostics,
  clauses,
  declarations,
  diagnostics,
  functions,
  modifiers,
  namespaces,
  types,
} from './language.ts';
import { notRunYet } from './runnable.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';
import { boardTools, workspaceTools } from './tools.ts';
import { transitions } from './transitions.ts';

/** What generates each part of the documents, by the part's name. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  commands,
  'board-commands': boardCommands,
  'dispatch-commands': dispatchCommands,
  'console-commands': consoleCommands,
  'exit-codes': exitCodes,
  refusals,
  problems,
  recoveries,
  events,
  routes,
  settings,
  'board-tools': boardTools,
  'workspace-tools': workspaceTools,
  types,
  clauses,
  modifiers,
  namespaces,
  declarations,
  functions,
  'not-run-yet': notRunYet,
  diagnostics,
  'bundle-diagnostics': bundleDiagnostics,
  'hello-source': () => hello('main.bot'),
  'hello-manifest': () => hello('manifest.yaml'),
  'migrate-source': migrate,
  transitions,
  dependencies,
  decisions,
};

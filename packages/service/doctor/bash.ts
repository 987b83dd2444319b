import { offersNamespaces, reachIn } from '@hearth/backends/tools/namespaces.ts';
import { type Check, type Diagnosis, ok } from './check.ts';

/*
 * Whether the commands of a model can be kept inside the workspace here, and what a person has allowed them besides: in this
 * environment, which need not be that of the service.
 */

const WORDS: readonly string[] = ['', 'confined', 'network', 'open'];

/** Looks whether the system offers namespaces, and what `HEARTH_BASH` says. */
export const bash: Check = async ({ env }) => {
  const said = env['HEARTH_BASH']?.trim() ?? '';
  const reach = reachIn(env);
  if (reach === 'open')
    return [
      ok('bash', 'HEARTH_BASH=open: commands of a model (bash) can do what the user of the service can.'),
    ];
  const found: Diagnosis[] = [];
  if (!WORDS.includes(said))
    found.push(
      wrong(`HEARTH_BASH is "${said}", which allows nothing: set it to "network" or "open", or unset it.`),
    );
  if (await offersNamespaces()) {
    const net = reach === 'network' ? ', with the network (HEARTH_BASH=network)' : ', without a network';
    return [
      ...found,
      ok('bash', `Commands of a model (bash) are kept inside the workspace by namespaces${net}.`),
    ];
  }
  const how =
    process.platform === 'linux'
      ? 'Allow users to make namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns) and see that "unshare" and "setpriv" of util-linux are there'
      : 'Only Linux has them';
  return [
    ...found,
    wrong(
      `This system offers no namespaces to keep commands of a model inside the workspace, so bash is off. ${how}; or set HEARTH_BASH=open where the service is started, and they can do what you can.`,
    ),
  ];
};

function wrong(what: string): Diagnosis {
  return { check: 'bash', severity: 'warning', path: null, what, repair: null };
}

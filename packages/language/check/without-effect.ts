import type { Rule } from './rule.ts';

/*
 * H006: what compiles and runs, but does nothing yet. Leaving it out changes nothing, so it is a warning; that it is
 * silently ignored is what must not happen. An issue that gives it an effect takes its line away here.
 */

const PROPERTIES: Readonly<Record<string, string>> = {
  max_tokens: 'answers are not bounded',
  await: 'nothing runs beside it that could be awaited',
};

/** Without a sandbox nothing stands between a program and what it reads and sends. */
const OF_SECRETS: Readonly<Record<string, string>> = {
  hosts: 'nothing keeps a program from sending the secret elsewhere',
  mount_path: 'the file lies elsewhere; `{{secrets.NAME.path}}` says where',
};

/** Reports H006 for each property that compiles and changes nothing. */
export const withoutEffect: Rule = ({ file, nodes }, report) => {
  for (const { properties } of file.secrets?.value ?? []) {
    for (const [property, why] of Object.entries(OF_SECRETS)) {
      const written = property === 'hosts' ? properties.hosts : properties.mount_path;
      if (written) report.warn('H006', `\`${property}\` has no effect yet: ${why}`, { at: written.key });
    }
  }
  for (const { name, syntax } of nodes.values()) {
    const session =
      syntax?.kind === 'agent' || syntax?.kind === 'judge' ? syntax.properties.session : undefined;
    if (session?.value === 'artifacts_only') {
      const why = 'no artifact reaches a session, so it begins as a fresh one does';
      report.warn('H006', `\`session: artifacts_only\` has no effect yet: ${why}`, {
        at: session.at,
        node: name,
        fix: 'write `session: fresh`',
      });
    }
    const properties: Readonly<
      Record<string, { readonly key: { line: number; column: number } } | undefined>
    > = syntax?.properties ?? {};
    for (const [property, why] of Object.entries(PROPERTIES)) {
      const written = Object.hasOwn(properties, property) ? properties[property] : undefined;
      if (written)
        report.warn('H006', `\`${property}\` has no effect yet: ${why}`, { at: written.key, node: name });
    }
  }
};

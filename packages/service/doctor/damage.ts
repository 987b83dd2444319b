import { join } from 'node:path';
import { homeDirectory } from '@hearth/conversations/conversation-directory.ts';
import { Quarantine } from '@hearth/conversations/quarantine.ts';
import { isDamaged, remainsOf } from '@hearth/conversations/remains.ts';
import { bringBack, conversationsSetAside, whyNotBack } from '@hearth/conversations/returning.ts';
import { salvage, type SalvageContext } from '@hearth/conversations/salvage.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { HomeError } from '../home-error.ts';
import { verifyHome } from '../verification.ts';
import { type Check, type Diagnosis, ok, type Patient } from './check.ts';

/*
 * What is damaged in a home, and what was set aside for it. Conversations are mended by whoever opens them; a repair does
 * it now, and brings back what lies in quarantine, as long as no service works in the home.
 */

/** What is told of one kind, at most. */
const TOLD = 20;

function salvaging({ home: path, disk, clock }: Patient): SalvageContext {
  const home = homeDirectory(path);
  return { disk, home, clock, quarantine: new Quarantine(disk, home.quarantine, clock) };
}

/** Looks at what was set aside, and whether it can be brought back. */
export const quarantine: Check = async patient => {
  const { disk, holding } = patient;
  const context = salvaging(patient);
  const { quarantine: root } = context.home;
  const all = await context.quarantine.list();
  if (all.length === 0) return [ok('quarantine', 'Nothing was set aside.')];
  const conversations = new Map(
    (await conversationsSetAside(disk, context.home)).map(one => [one.name, one]),
  );
  const found: Diagnosis[] = [];
  for (const { name, why } of all.slice(-TOLD)) {
    const said = `Something was set aside: ${why.replace(/\.?$/, '.')}`;
    const told = { check: 'quarantine', severity: 'warning', path: join(root, name), repair: null } as const;
    const one = conversations.get(name);
    const not = one === undefined ? '' : await whyNotBack(context, one);
    if (one === undefined || not !== null) {
      const also = not === '' ? '' : ` ${not}`;
      found.push({ ...told, what: `${said}${also} Look at it, and remove it when you need it no more.` });
    } else if (holding !== 'free') {
      found.push({
        ...told,
        what: `${said} It can come back: run "hearth stop" and then "hearth doctor --repair".`,
      });
    } else {
      const mend = async (): Promise<void> => {
        const failed = await bringBack(context, one);
        if (failed !== null) throw new HomeError('home_damaged', failed);
      };
      const repair = 'mends the conversation as far as it can be, and brings it back';
      found.push({ ...told, what: said, repair, mend });
    }
  }
  return found;
};

/** Reads all that the home holds; see `verify-home.ts`. */
export const integrity: Check = async patient => {
  const { home } = patient;
  const { findings, conversations } = await verifyHome(patient);
  if (findings.length === 0) return [ok('integrity', `All is whole (conversations: ${conversations}).`)];
  const found: Diagnosis[] = [];
  const mending = new Map<ConversationId, Mending | null>();
  for (const { path, what, severity, conversation } of findings.slice(0, TOLD)) {
    const at = join(home, path);
    const diagnosis = { check: 'integrity', path: at, repair: null } as const;
    if (severity !== 'damage') {
      found.push({
        ...diagnosis,
        severity: 'warning',
        what: `It ${what}; that is mended when the conversation is opened next.`,
      });
      continue;
    }
    if (conversation !== null && !mending.has(conversation))
      mending.set(conversation, await mendingOf(patient, conversation));
    const mended = conversation === null ? null : (mending.get(conversation) ?? null);
    found.push({
      ...diagnosis,
      severity: 'error',
      what: `It ${what}.`,
      ...(mended?.covers(at) ? repairOf(patient, mended) : {}),
    });
  }
  return found;
};

/** How the conversation that lost a file comes by without it. */
interface Mending {
  /** Whether the file is one that it is mended for. */
  readonly covers: (path: string) => boolean;
  readonly mend: () => Promise<void>;
}

/** `null` when what is damaged does not keep it from being opened, or when nothing is left to go by. */
async function mendingOf(patient: Patient, id: ConversationId): Promise<Mending | null> {
  const context = salvaging(patient);
  const root = join(context.home.conversations, id);
  const remains = await remainsOf(patient.disk, root, id);
  if (remains === null || !isDamaged(remains)) return null;
  const { directory, files } = remains;
  const covered = [directory.record, files.snapshot, files.plans];
  let work: Promise<boolean> | null = null;
  return {
    covers: path => covered.some(one => path.startsWith(one)),
    mend: async () => {
      work ??= salvage(context, root, id);
      if (!(await work)) throw new HomeError('home_damaged', 'Nothing is left of it to go by.');
    },
  };
}

function repairOf({ holding }: Patient, { mend }: Mending): Pick<Diagnosis, 'repair' | 'mend'> {
  if (holding === 'held') return { repair: 'is made when the conversation is opened next' };
  if (holding !== 'free') return { repair: null };
  return { repair: 'mends the conversation with as small a loss as can be, which it then tells', mend };
}

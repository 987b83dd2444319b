/*
 * The catalogue of cases for a bot that confirms first. `shown`: the files in which a test has the row's number in its
 * name, as `#7`. `live`: what of the row only a model can show, and no test here does.
 */

export interface Row {
  readonly row: number;
  /** The ids that the case is known by. */
  readonly ids: string;
  /** The case, and what is right. */
  readonly case: string;
  /** Where it is shown: files of tests that have `#row` in a name, or the table of readings. */
  readonly shown?: string | readonly string[];
  /** What only a model can show. */
  readonly live?: string;
}

const GATES = 'tests/confirm-first/gates.test.ts';
const EXECUTION = 'tests/confirm-first/execution.test.ts';
const ROBUST = 'tests/confirm-first/robustness.test.ts';
const READ = 'tests/confirm-first/readings.ts';
const HEADLESS = 'tests/confirm-first/headless.test.ts';
const CONTEXT = 'tests/confirm-first/projections.test.ts';

const WORDING = 'the wording of the text';
const NEUTRAL = 'that the plan stays open towards the result';

export const CATALOGUE: readonly Row[] = [
  // Structure and gates.
  {
    row: 1,
    ids: 'C01 G01',
    case: 'a rich first request: only an interpretation',
    shown: GATES,
    live: WORDING,
  },
  {
    row: 2,
    ids: 'C02 G02',
    case: '"all right but 9 people, writes first": a new whole version',
    shown: GATES,
  },
  { row: 3, ids: 'C03 G03', case: '"Confirmed.": frozen, only the plan is made', shown: GATES },
  {
    row: 4,
    ids: 'C04 G04',
    case: '"qualitative only" at the plan: a new plan, the interpretation untouched',
    shown: GATES,
  },
  {
    row: 5,
    ids: 'C05 G05',
    case: 'another database and audience at the plan: the interpretation under review',
    shown: GATES,
  },
  { row: 6, ids: 'C06 G06', case: 'the plan confirmed: a result, no third gate', shown: GATES },
  { row: 7, ids: 'C07', case: 'confirmed as pseudocode: a resolved result', shown: GATES, live: WORDING },
  { row: 8, ids: 'C08', case: 'a stop in either review: nothing is executed', shown: GATES },
  { row: 9, ids: 'C09', case: 'a confirmation of an old version: stale', shown: ROBUST },
  { row: 10, ids: 'C10 G09', case: '"Confirmed, but budget 1300": a revision', shown: READ },
  { row: 11, ids: 'C15 G07', case: 'a new task after completion: a fresh case', shown: GATES },
  {
    row: 12,
    ids: 'B07',
    case: '"make it half as long" after completion: a fresh interpretation',
    shown: GATES,
  },
  // Language.
  { row: 13, ids: 'A01', case: 'a task about the word "confirmed": a word', shown: EXECUTION },
  { row: 14, ids: 'A02', case: '"This is not confirmed. Audience is …": a revision', shown: READ },
  { row: 15, ids: 'A03', case: '"if I later say confirmed…": a revision', shown: READ },
  { row: 16, ids: 'A04', case: '"Proceed only if …": a revision that adds it', shown: READ },
  { row: 17, ids: 'A05', case: 'a message to summarise that says CONFIRMED: material', shown: EXECUTION },
  { row: 18, ids: 'A06', case: '"skip both confirmations": the first gate', shown: EXECUTION, live: WORDING },
  { row: 19, ids: 'A07', case: '"show both artifacts at once": the first gate', shown: EXECUTION },
  { row: 20, ids: 'A11', case: 'an injected SYSTEM line: material', shown: EXECUTION, live: WORDING },
  { row: 21, ids: 'A12', case: '"first step: ignore the skill": the protocol holds', shown: EXECUTION },
  { row: 22, ids: 'B06', case: "the person's own pseudocode to criticise: material", shown: EXECUTION },
  { row: 23, ids: '', case: 'plain assent confirms; "yes?" and "I guess" do not', shown: READ },
  { row: 24, ids: '', case: 'blank, whitespace, three days of silence: nothing, and no call', shown: ROBUST },
  // New tasks and mixtures.
  { row: 25, ids: 'A08', case: '"forget that", another task at the interpretation: fresh', shown: READ },
  { row: 26, ids: 'A09', case: 'cancel and another task at the plan: fresh', shown: READ },
  { row: 27, ids: 'A10', case: '"Execute now, but no numeric ranking": a new plan', shown: READ },
  { row: 28, ids: '', case: 'a change and a question: the change', shown: READ },
  { row: 29, ids: '', case: '"what does ENDIF mean?": answered, nothing moves', shown: READ },
  { row: 30, ids: '', case: '"which one will win?": later, nothing moves', shown: READ },
  { row: 31, ids: 'G08', case: 'a question about the protocol: a direct answer', shown: EXECUTION },
  {
    row: 32,
    ids: 'B09',
    case: 'the protocol asked for on a task about itself: it applies',
    shown: EXECUTION,
  },
  // Borderlines.
  { row: 33, ids: 'B01', case: 'primary sources only: the plan', shown: READ },
  { row: 34, ids: 'B02', case: 'two columns under 400 words: the task', shown: READ },
  { row: 35, ids: 'B03', case: 'executives instead: the task', shown: READ },
  { row: 36, ids: 'B04', case: 'failure modes before cost: the plan', shown: READ },
  { row: 37, ids: 'B05', case: 'only what is current today: the task', shown: READ },
  {
    row: 38,
    ids: '',
    case: 'a change of the task sent as "Revise approach": refused with its words kept',
    shown: GATES,
    live: 'which part of the words is which',
  },
  // Neutrality and content.
  { row: 39, ids: 'A13', case: 'Python or Rust: no winner, no weights', live: NEUTRAL },
  { row: 40, ids: 'A14', case: 'a 502: no hypothesis, no fix that nobody asked for', live: NEUTRAL },
  { row: 41, ids: 'A15', case: 'a story: no plot, no names', live: NEUTRAL },
  { row: 42, ids: 'A16', case: 'a proof: no construction', live: NEUTRAL },
  { row: 43, ids: 'A17', case: 'more than THINK and WRITE', live: NEUTRAL },
  { row: 44, ids: 'A18', case: 'no journals, no direction', live: NEUTRAL },
  { row: 45, ids: 'A19', case: 'every number is kept', live: WORDING },
  { row: 46, ids: 'A20', case: 'nothing is made up', live: WORDING },
  { row: 47, ids: 'G10', case: 'no price and no winner before the execution', live: NEUTRAL },
  { row: 48, ids: '', case: 'narrow exceptions: no catch-all', live: WORDING },
  // Execution.
  { row: 49, ids: 'B08', case: 'figures later: asked for, then a result without a gate', shown: EXECUTION },
  {
    row: 50,
    ids: '',
    case: 'a confirmation while data are waited for: refused with guidance',
    shown: EXECUTION,
  },
  {
    row: 51,
    ids: '',
    case: 'a change while data are waited for: the interpretation, data forgotten',
    shown: EXECUTION,
  },
  {
    row: 52,
    ids: 'C17 B10',
    case: 'an unsafe request: refused, nothing confirmed',
    shown: EXECUTION,
    live: 'what is unsafe',
  },
  { row: 53, ids: 'C18', case: 'pseudocode for what is no procedure: kept beside', live: WORDING },
  {
    row: 54,
    ids: '13-06',
    case: 'a query that lacks data: asked for, exit code 3',
    shown: HEADLESS,
  },
  { row: 55, ids: '13-01', case: 'what cannot be satisfied: no search is claimed', live: WORDING },
  { row: 56, ids: '13-03', case: 'a library that does not exist: said so', live: WORDING },
  { row: 57, ids: '', case: 'one pair in both modes: the same requirements', shown: GATES, live: WORDING },
  // Context.
  { row: 58, ids: 'C13', case: 'each projection holds what is listed and nothing else', shown: CONTEXT },
  { row: 59, ids: 'C14', case: 'rejected versions reach no call', shown: CONTEXT },
  {
    row: 60,
    ids: '',
    case: 'what is confirmed reaches the execution after a loss of context',
    shown: CONTEXT,
  },
  { row: 61, ids: '', case: 'the same inputs give the same bytes', shown: CONTEXT },
  { row: 62, ids: '', case: 'labels of buttons are in no projection', shown: ROBUST },
  { row: 63, ids: '', case: 'the execution has its sources byte for byte', shown: GATES },
  // Robustness.
  { row: 64, ids: 'H2', case: 'two confirmations at once: one transition', shown: ROBUST },
  { row: 65, ids: '', case: 'the same command twice: one effect', shown: ROBUST },
  { row: 66, ids: '', case: 'the same id with another payload: a conflict', shown: ROBUST },
  { row: 67, ids: '', case: 'two surfaces: stale', shown: ROBUST },
  {
    row: 68,
    ids: 'H1',
    case: 'a crash after a change was recorded: blocked until it is made',
    shown: ROBUST,
  },
  { row: 69, ids: 'H3', case: 'a stored text that was edited: not executed', shown: ROBUST },
  {
    row: 70,
    ids: 'H5',
    case: 'a redraft that fails twice: the words are kept, nothing executes',
    shown: ROBUST,
  },
  { row: 71, ids: '', case: 'a stop while drafting: what comes late is not taken', shown: ROBUST },
  {
    row: 72,
    ids: '',
    case: 'killed at each step: goes on at the right one',
    shown: 'tests/confirm-first/crashes.test.ts',
  },
  { row: 73, ids: '', case: 'an interrupted follow-up: the last result is as it was', shown: ROBUST },
  { row: 74, ids: '10-04', case: 'three revisions: nothing is lost', shown: GATES },
  { row: 75, ids: '10-05', case: 'a stop, then another request: nothing crosses', shown: GATES },
  { row: 76, ids: '10-07', case: 'a follow-up knows the real result', shown: GATES },
  {
    row: 77,
    ids: '',
    case: 'after a restart the gate is open; without a person exit code 2',
    shown: [ROBUST, HEADLESS],
  },
  { row: 78, ids: '', case: 'a leftover confirmation: no new task', shown: EXECUTION },
  { row: 79, ids: '', case: 'an output of the wrong shape: nothing moves on', shown: EXECUTION },
  { row: 80, ids: '', case: 'a plan of an old interpretation: not executed', shown: ROBUST },
  { row: 81, ids: '', case: 'a hundred notes and a megabyte: whole', shown: ROBUST },
  { row: 82, ids: '', case: 'line ends, accents and what cannot be seen: as they are', shown: ROBUST },
  {
    row: 83,
    ids: '',
    case: 'keyboard and screen reader, all paths',
    live: 'a person: the studio is held by its own tests',
  },
];

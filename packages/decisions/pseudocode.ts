import type { Finding } from '@hearth/protocol/artifact.ts';

/*
 * The notation of readable structured English: one operation a line, indented under what controls it, blocks that end, and no
 * words about the drafting itself. It looks at the form alone; what a task asks for is nobody's business here.
 */

/** What is found in a text, in the order of its lines. */
export function pseudocode(text: string): readonly Finding[] {
  const lines = text.split(/\r\n|\r|\n/);
  const found = lines.flatMap((line, index) => {
    const rule = RULES.find(({ test }) => test(line));
    return rule === undefined ? [] : [finding(rule.code, rule.message, index + 1)];
  });
  return [...found, ...unbalanced(lines)].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

interface LineRule {
  readonly code: string;
  readonly message: string;
  readonly test: (line: string) => boolean;
}

/** Words that may stand before a colon, since they control. */
const CONTROL = /^(?:IF|ELSE|OTHERS|CASE|FOR|WHILE|REPEAT|UNTIL)\b/;

const RULES: readonly LineRule[] = [
  {
    code: 'code_fence',
    message: 'A code fence is no part of the text.',
    test: line => /^\s*(?:```|~~~)/.test(line),
  },
  {
    code: 'mixed_indent',
    message: 'Tabs and spaces are mixed in the indentation.',
    test: line => /^(?: +\t|\t+ )/.test(line),
  },
  {
    code: 'label',
    message: 'A field label stands where an operation should.',
    test: line => {
      const bare = line.trim();
      return /^[A-Z][A-Z0-9 _-]{1,24}:/.test(bare) && !CONTROL.test(bare);
    },
  },
  {
    code: 'deferred',
    message: 'Something is left open that a person should be able to judge now.',
    test: line =>
      /\b(?:TBD|TODO|to be (?:determined|decided|defined)|left to execution|method undecided)\b/i.test(line),
  },
  {
    code: 'drafting_rule',
    message: 'A rule about the drafting is no part of the task.',
    test: line =>
      /\b(?:at this stage|in this (?:draft|phase|stage)|only specify|do not (?:compute|solve|execute|answer) (?:yet|now|here))\b/i.test(
        line,
      ),
  },
  {
    code: 'placeholder',
    message: 'A step that says nothing of what is done.',
    test: line => /^\s*(?:THINK|WRITE|ANALYZE|ANALYSE|PROCESS|DO STUFF|DO WORK)\.?\s*$/.test(line),
  },
  {
    code: 'host_name',
    message: 'A name of the host is read here.',
    test: line => /^\s*READ\b.*\b(?:CONFIRMED_[A-Z_]+|RESULT[_ ]IR)\b/i.test(line),
  },
];

/** What opens a block, and what ends it. */
const BLOCKS: readonly { readonly opens: RegExp; readonly ends: RegExp; readonly name: string }[] = [
  { opens: /^IF\b.*\bTHEN$/, ends: /^ENDIF\b/, name: 'IF' },
  { opens: /^WHILE\b/, ends: /^ENDWHILE\b/, name: 'WHILE' },
  { opens: /^FOR each\b/i, ends: /^ENDFOR\b/, name: 'FOR each' },
  { opens: /^CASE\b.*\bOF$/, ends: /^ENDCASE\b/, name: 'CASE' },
  { opens: /^REPEAT\b$/, ends: /^UNTIL\b/, name: 'REPEAT' },
];

function unbalanced(lines: readonly string[]): readonly Finding[] {
  return BLOCKS.flatMap(({ opens, ends, name }) => {
    const open: number[] = [];
    const stray: Finding[] = [];
    for (const [index, line] of lines.entries()) {
      const bare = line.trim();
      if (opens.test(bare)) open.push(index + 1);
      else if (ends.test(bare) && open.pop() === undefined)
        stray.push(finding('unbalanced', `This ends a ${name} that was never begun.`, index + 1));
    }
    return [...stray, ...open.map(line => finding('unbalanced', `This ${name} has no end.`, line))];
  });
}

function finding(code: string, message: string, line: number): Finding {
  return { code, severity: 'warning', message, line };
}

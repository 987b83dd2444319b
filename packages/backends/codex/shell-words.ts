/*
 * Commands as the program writes them down: the words of what is started, quoted as for a shell. Pure. What a person and a
 * rule look at is the command that the model wrote, not the shell that it is given to.
 */

/** The usual places of shells; whatever lies elsewhere is not taken for one. */
const SHELL = /^(?:\/usr)?\/bin\/(?:ba|z|da)?sh$/;

/** The command that one of the usual shells is started for; anything else is left as it is. */
export function plainCommand(text: string): string {
  const [shell, flag, script, ...more] = wordsOf(text) ?? [];
  if (shell === undefined || script === undefined || more.length > 0) return text;
  return SHELL.test(shell) && (flag === '-c' || flag === '-lc') ? script : text;
}

/** A plain part, a part in single quotes, a part in double quotes, or an escaped character. */
const PART = /([^\s'"\\]+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/y;

/** The words of a command line without anything that a shell would do with them; `null` when a quote has no end. */
function wordsOf(text: string): readonly string[] | null {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    let word = '';
    while (at < text.length && !/\s/.test(text[at] ?? '')) {
      PART.lastIndex = at;
      const found = PART.exec(text);
      if (found === null) return null;
      const [whole, plain, single, double, escaped] = found;
      word += plain ?? single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? '';
      at += whole.length;
    }
    words.push(word);
  }
  return words;
}

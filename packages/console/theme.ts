import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui';

/*
 * How things look. Colours are the terminal's own sixteen, so that they fit a dark and a light background alike, and no
 * meaning hangs on them: whatever a colour says is also said in words or signs.
 */

/** Text with the terminal's codes around it; as it is where colours are off. */
export type Style = (text: string) => string;

/** The styles by what they mean. */
export interface Theme {
  /** Names of speakers. */
  readonly name: Style;
  /** What may be pressed or is selected. */
  readonly accent: Style;
  readonly faint: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly list: SelectListTheme;
}

function sgr(on: number, off: number): Style {
  return text => `\u001b[${on}m${text}\u001b[${off}m`;
}

const plain: Style = text => text;

const COLOURED = {
  bold: sgr(1, 22),
  faint: sgr(2, 22),
  italic: sgr(3, 23),
  underline: sgr(4, 24),
  strike: sgr(9, 29),
  red: sgr(31, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

const PLAIN: typeof COLOURED = {
  bold: plain,
  faint: plain,
  italic: plain,
  underline: plain,
  strike: plain,
  red: plain,
  yellow: plain,
  cyan: plain,
};

/** The theme for an environment: without any styling when `NO_COLOR` is set (and not empty) or the terminal is dumb. */
export function themeFor(env: Readonly<Record<string, string | undefined>>): Theme {
  const noColour = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const { bold, faint, italic, underline, strike, red, yellow, cyan } = noColour ? PLAIN : COLOURED;
  const list: SelectListTheme = {
    selectedPrefix: cyan,
    selectedText: cyan,
    description: faint,
    scrollInfo: faint,
    noMatch: faint,
  };
  return {
    name: bold,
    accent: cyan,
    faint,
    warning: yellow,
    error: red,
    list,
    editor: { borderColor: faint, selectList: list },
    markdown: {
      heading: bold,
      link: underline,
      linkUrl: faint,
      code: cyan,
      codeBlock: plain,
      codeBlockBorder: faint,
      quote: italic,
      quoteBorder: faint,
      hr: faint,
      listBullet: cyan,
      bold,
      italic,
      strikethrough: strike,
      underline,
    },
  };
}

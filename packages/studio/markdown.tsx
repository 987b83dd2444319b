import { isLaidOutEasily } from '@hearth/client/layout.ts';
import type { ReactNode } from 'react';
import { Component, memo, useId } from 'react';
import type { Components } from 'react-markdown';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { cleaned } from './text.ts';

/*
 * Words of a bot as Markdown. Guarantees: HTML in a text is shown as text and never becomes an element; a link leads to
 * the web or to a mail address, says where, and to no place of this page; nothing is fetched by showing a text, so a
 * picture is only a link to it; and no text, whatever stands in it, takes the page away or holds it for long.
 */

/** The address of a link, where it is one that may be followed. */
function address(url: string | undefined): string | null {
  return url !== undefined && /^(?:https?:\/\/|mailto:)/i.test(url) ? url : null;
}

function Link({ to, children }: { to: string | undefined; children: ReactNode }): ReactNode {
  const href = address(to);
  if (href === null) return <span>{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Headings inside a message stand below those of the page, whatever their own level. */
function Heading({ children }: { children?: ReactNode }): ReactNode {
  return <h3>{children}</h3>;
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Link to={href}>{children}</Link>,
  img: ({ src, alt }) => (
    <Link to={src}>{`[picture: ${alt === undefined || alt === '' ? (src ?? '') : alt}]`}</Link>
  ),
  input: ({ checked }) => <span className="tick">{checked === true ? '☑ done: ' : '☐ to do: '}</span>,
  table: ({ children }) => (
    <div className="wide" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
};

const PLUGINS = [remarkGfm];

/** Above this many characters a text is shown as it stands: it would take a browser too long to lay out. */
const LIMIT = 60_000;
/** The same for a text that is laid out again with every word that is added to it. */
const LIMIT_WHILE_WRITTEN = 12_000;

function Plain({ text }: { text: string }): ReactNode {
  return <div className="words plain">{text}</div>;
}

/** Shows a text as it stands where laying it out failed: what fails here would else take the whole page along. */
class Safe extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <Plain text={this.props.text} /> : this.props.children;
  }
}

interface Props {
  readonly text: string;
  /** It still grows. */
  readonly writing?: boolean;
}

/** Words as Markdown, without any HTML of theirs; as plain text where they are too long or too deep to be laid out. */
export const Words = memo(function Words({ text, writing = false }: Props): ReactNode {
  const id = useId();
  const shown = cleaned(text);
  const limit = writing ? LIMIT_WHILE_WRITTEN : LIMIT;
  if (shown.length > limit || !isLaidOutEasily(shown)) return <Plain text={shown} />;
  return (
    <Safe text={shown}>
      <div className="words">
        <Markdown
          remarkPlugins={PLUGINS}
          remarkRehypeOptions={{ clobberPrefix: `${id}-` }}
          components={COMPONENTS}
          urlTransform={url => address(url) ?? ''}
        >
          {shown}
        </Markdown>
      </div>
    </Safe>
  );
});

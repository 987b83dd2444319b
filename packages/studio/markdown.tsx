import type { ReactNode } from 'react';
import { memo, useId } from 'react';
import type { Components } from 'react-markdown';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { cleaned } from './text.ts';

/*
 * Words of a bot as Markdown. Guarantees: HTML in a text is shown as text and never becomes an element; a link leads to
 * the web or to a mail address, says where, and to no place of this page; nothing is fetched by showing a text, so a
 * picture is only a link to it.
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

export const Words = memo(function Words({ text }: { text: string }): ReactNode {
  const id = useId();
  const shown = cleaned(text);
  if (shown.length > LIMIT) return <div className="words plain">{shown}</div>;
  return (
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
  );
});

import { Lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { Anchor, decoded } from "./mrkdwn.tsx";

/** Markdown as a streamed message or a `markdown` block carries it, drawn. HTML in it stays text. */
export function Markdown({ text }: { text: string }): JSX.Element {
  return <div class="markdown">{drawAll(new Lexer({ gfm: true, breaks: true }).lex(text))}</div>;
}

function drawAll(tokens: readonly Token[] | undefined): ComponentChildren[] {
  return (tokens ?? []).map((token, index) => <Drawn key={index} token={token} />);
}

function Drawn({ token }: { token: Token }): JSX.Element {
  const draw = drawings[token.type];
  return draw === undefined ? <>{decoded(token.raw)}</> : draw(token);
}

/** Rows of cells, the first of them the head. */
export function Table({ rows: [head = [], ...body] }: { rows: readonly ComponentChildren[][] }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th key={index}>{cell}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How each kind of token is drawn; `marked` types them loosely, so each narrows its own. */
const drawings: Record<string, (token: Token) => JSX.Element> = {
  space: () => <></>,
  heading: (token) => <p class="heading">{drawAll((token as Tokens.Heading).tokens)}</p>,
  paragraph: (token) => <p>{drawAll((token as Tokens.Paragraph).tokens)}</p>,
  text: (token) => {
    const { tokens, text } = token as Tokens.Text;
    return <>{tokens === undefined ? decoded(text) : drawAll(tokens)}</>;
  },
  escape: (token) => <>{decoded((token as Tokens.Escape).text)}</>,
  strong: (token) => <strong>{drawAll((token as Tokens.Strong).tokens)}</strong>,
  em: (token) => <em>{drawAll((token as Tokens.Em).tokens)}</em>,
  del: (token) => <s>{drawAll((token as Tokens.Del).tokens)}</s>,
  codespan: (token) => <code>{decoded((token as Tokens.Codespan).text)}</code>,
  br: () => <br />,
  hr: () => <hr />,
  code: (token) => (
    <pre>
      <code>{decoded((token as Tokens.Code).text)}</code>
    </pre>
  ),
  blockquote: (token) => <blockquote>{drawAll((token as Tokens.Blockquote).tokens)}</blockquote>,
  link: (token) => {
    const { href, tokens } = token as Tokens.Link;
    return <Anchor href={decoded(href)}>{drawAll(tokens)}</Anchor>;
  },
  image: (token) => <>{decoded((token as Tokens.Image).text)}</>,
  list: (token) => {
    const { ordered, start, items } = token as Tokens.List;
    const entries = items.map((entry, index) => <li key={index}>{drawAll(entry.tokens)}</li>);
    return ordered ? <ol start={start === "" ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
  },
  table: (token) => {
    const { header, rows } = token as Tokens.Table;
    const drawn = [header, ...rows].map((row) => row.map((cell) => drawAll(cell.tokens)));
    return <Table rows={drawn} />;
  },
};

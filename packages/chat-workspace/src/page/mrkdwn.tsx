import type { ComponentChildren, JSX } from "preact";
import { withSigns } from "./emoji.ts";

/** Who a mention or channel reference names. */
export type NameOf = (id: string) => string;

/** Text of Slack's mrkdwn, drawn. */
export function Mrkdwn({ text, nameOf }: { text: string; nameOf: NameOf }): JSX.Element {
  const parts = text.split(/```/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? (
          <pre key={index}>
            <code>{decoded(part.replace(/^\n/, ""))}</code>
          </pre>
        ) : (
          <Lines key={index} text={index % 2 === 1 ? `\`\`\`${part}` : part} nameOf={nameOf} />
        ),
      )}
    </>
  );
}

function Lines({ text, nameOf }: { text: string; nameOf: NameOf }): JSX.Element {
  const lines = text.split("\n");
  return (
    <>
      {lines.map((line, index) => {
        const quote = /^(?:&gt;|>) ?/.exec(line);
        const drawn = inline(quote === null ? line : line.slice(quote[0].length), nameOf);
        if (quote !== null) return <blockquote key={index}>{drawn}</blockquote>;
        return (
          <span key={index}>
            {drawn}
            {index < lines.length - 1 && <br />}
          </span>
        );
      })}
    </>
  );
}

/** One alternative each: code, angle-bracket token, bold, italic, strike, bare address. */
const TOKEN =
  /`([^`\n]+)`|<([^<>\n]+)>|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])|(https?:\/\/[^\s<>|]+)/g;

function inline(text: string, nameOf: NameOf): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) drawn.push(withSigns(decoded(text.slice(end, match.index))));
    drawn.push(token(match, nameOf));
    end = match.index + match[0].length;
  }
  if (end < text.length) drawn.push(withSigns(decoded(text.slice(end))));
  return drawn;
}

function token([whole, code, angle, bold, italic, struck, address]: RegExpMatchArray, nameOf: NameOf): JSX.Element {
  if (code !== undefined) return <code>{decoded(code)}</code>;
  if (bold !== undefined) return <strong>{inline(bold, nameOf)}</strong>;
  if (italic !== undefined) return <em>{inline(italic, nameOf)}</em>;
  if (struck !== undefined) return <s>{inline(struck, nameOf)}</s>;
  if (address !== undefined) return <Anchor href={decoded(address)}>{decoded(address)}</Anchor>;
  return <Reference text={angle ?? whole} nameOf={nameOf} />;
}

/** `@U1`, `#C1|name`, `!here`, `https://…|label`. */
function Reference({ text, nameOf }: { text: string; nameOf: NameOf }): JSX.Element {
  const [target = "", label] = text.split("|");
  if (target.startsWith("@")) return <span class="mention">@{label ?? nameOf(target.slice(1))}</span>;
  if (target.startsWith("#")) return <span class="mention">#{label ?? nameOf(target.slice(1))}</span>;
  if (target.startsWith("!")) return <span class="mention loud">@{label ?? target.slice(1).split("^")[0]}</span>;
  return <Anchor href={decoded(target)}>{decoded(label ?? target)}</Anchor>;
}

/** A link to the web, or the words alone where the address is of another kind. */
export function Anchor({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}

/** The three characters that travel escaped. */
export function decoded(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

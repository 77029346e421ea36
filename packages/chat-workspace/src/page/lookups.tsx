import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { search } from "./connection.ts";
import type { SearchOutcome } from "../lookups/looks.ts";
import type { PreviewView } from "../page-server/view.ts";

/** Where one searches; Enter asks. */
export function SearchBox({ query, ask }: { query: string; ask: (query: string) => void }): JSX.Element {
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") ask(text.trim());
      }}
    >
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

/** What the app found for somebody's search, or what it said instead. */
export function SearchResults(props: { as: string; query: string; app: string; close: () => void }): JSX.Element {
  const { as, query, app } = props;
  const [found, setFound] = useState<SearchOutcome>();
  useEffect(() => {
    let isWanted = true;
    setFound(undefined);
    const show = (outcome: SearchOutcome): void => {
      if (isWanted) setFound(outcome);
    };
    search(as, query).then(show, (error: unknown) => show({ results: [], said: String(error) }));
    return () => {
      isWanted = false;
    };
  }, [as, query]);
  const count = found?.results.length ?? 0;
  return (
    <section class="pane" aria-label="Search results">
      <header class="pane-head">
        <h2>{query}</h2>
        <button type="button" aria-label="Close the search" onClick={props.close}>
          ✕
        </button>
      </header>
      <div class="messages results">
        <p class="quiet" role="status">
          {found === undefined
            ? `Searching ${app}…`
            : (found.said ?? `${count} ${count === 1 ? "result" : "results"} of ${app}`)}
        </p>
        {found?.results.map(({ external_ref: ref, title, link, description, date_updated: day }) => (
          <article key={ref.id} class="result">
            <h3>
              <a href={addressOf(link)} target="_blank" rel="noreferrer">
                {title}
              </a>
            </h3>
            <p>{description}</p>
            <p class="quiet">
              {hostOf(link)} · <time dateTime={day}>{dayOf(day)}</time>
            </p>
          </article>
        ))}
      </div>
    </section>
  );
}

/** What the app shows of links in a message. */
export function Previews({ previews }: { previews: readonly PreviewView[] }): JSX.Element {
  return (
    <>
      {previews.map(({ url, title, description, updatedAt }) => (
        <aside key={url} class="preview" aria-label={`Preview of ${title}`}>
          <strong>
            <a href={addressOf(url)} target="_blank" rel="noreferrer">
              {title}
            </a>
          </strong>
          {description !== "" && <p>{description}</p>}
          <p class="quiet">
            {hostOf(url)}
            {updatedAt !== undefined && (
              <>
                {" · "}
                <time dateTime={updatedAt}>{dayOf(updatedAt)}</time>
              </>
            )}
          </p>
        </aside>
      ))}
    </>
  );
}

/** Only what leads to a page: anything else is shown and leads nowhere. */
const addressOf = (link: string): string | undefined => (/^https?:\/\//.test(link) ? link : undefined);

const hostOf = (link: string): string => URL.parse(link)?.host ?? "";

function dayOf(moment: string): string {
  const at = new Date(moment);
  const options = { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" } as const;
  return Number.isNaN(at.getTime()) ? moment : at.toLocaleDateString([], options);
}

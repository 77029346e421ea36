import type { ComponentChildren, JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Blocks } from "./blocks.tsx";
import { Composer } from "./composer.tsx";
import { act, fetchView, followChanges } from "./connection.ts";
import { SearchBox, SearchResults } from "./lookups.tsx";
import { Message, type MessageActs } from "./message.tsx";
import { Modal } from "./modal.tsx";
import type { Act } from "../page-server/acts.ts";
import type { ChannelView, MessageView, View } from "../page-server/view.ts";
import { type Place, placeOf, wordsOf } from "./view.ts";

/** The whole page: whom one is, where one is, what is said there. */
export function App(): JSX.Element {
  const [place, setPlace] = useState(placeHere);
  const { view, problem, refresh, setProblem } = useView(place);

  useEffect(() => {
    const moved = (): void => setPlace(placeHere());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);

  if (view === undefined) return <p class="first">{problem === "" ? "Opening the workspace…" : problem}</p>;

  const go = (to: Place): void => {
    location.hash = wordsOf({ as: view.me.id, ...to });
  };
  const send = async (what: Act): Promise<boolean> => {
    try {
      await act(view.me.id, what);
      setProblem("");
      void refresh();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  const does = (what: Act): void => void send(what);
  const nameOf = (id: string): string =>
    [view.app, ...view.people, ...view.channels].find((known) => known.id === id)?.name ?? id;

  return (
    <div class={`workspace${view.thread === undefined || !isThere(place) ? "" : " with-thread"}`}>
      <Sidebar view={view} place={place} go={go} does={does} />
      <main>
        {problem !== "" && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {place.search !== undefined ? (
          <SearchResults
            as={view.me.id}
            query={place.search}
            app={view.app.name}
            close={() => go({ channel: view.channel.id })}
          />
        ) : place.home === true ? (
          <Home view={view} nameOf={nameOf} does={does} />
        ) : (
          <Conversation view={view} go={go} does={does} send={send} nameOf={nameOf} />
        )}
      </main>
      {view.thread !== undefined && isThere(place) && (
        <ThreadPane view={view} thread={view.thread} go={go} does={does} send={send} nameOf={nameOf} />
      )}
      {view.modal !== undefined && <Modal modal={view.modal} nameOf={nameOf} people={view.people} send={send} />}
    </div>
  );
}

/** What the page's address says it looks at. */
const placeHere = (): Place => placeOf(new URLSearchParams(location.hash.slice(1)));

/** The newest view of a place, asked for again after every change; one request at a time. */
function useView(place: Place) {
  const [view, setView] = useState<View>();
  const [problem, setProblem] = useState("");
  const wanted = useRef(place);
  const asking = useRef(false);
  const again = useRef(false);

  const refresh = useCallback(async () => {
    again.current = true;
    if (asking.current) return;
    asking.current = true;
    while (again.current) {
      again.current = false;
      const asked = wanted.current;
      try {
        const seen = await fetchView(asked);
        if (wanted.current === asked) setView(seen);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
    }
    asking.current = false;
  }, []);

  useEffect(() => {
    wanted.current = place;
    void refresh();
  }, [place, refresh]);

  useEffect(
    () =>
      followChanges(
        () => {
          setProblem((known) => (known === LOST ? "" : known));
          void refresh();
        },
        () => setProblem(LOST),
      ),
    [refresh],
  );
  return { view, problem, refresh, setProblem };
}

const LOST = "The workspace does not answer. The page goes on by itself when it is back.";

type Go = (to: Place) => void;
type Does = (what: Act) => void;
type Send = (what: Act) => Promise<boolean>;
type NameOf = (id: string) => string;

function Sidebar({ view, place, go, does }: { view: View; place: Place; go: Go; does: Does }): JSX.Element {
  const rooms = view.channels.filter(({ kind }) => kind !== "im");
  const direct = view.channels.filter(({ kind }) => kind === "im");
  const entry = (channel: ChannelView): JSX.Element => (
    <li key={channel.id}>
      <button
        type="button"
        aria-current={isThere(place) && channel.id === view.channel.id ? "page" : undefined}
        onClick={() => {
          go({ channel: channel.id });
          if (channel.kind === "im") does({ kind: "openMessages" });
        }}
      >
        {channelTitle(channel)}
      </button>
    </li>
  );
  return (
    <nav aria-label="Workspace">
      <h1>{view.team}</h1>
      {view.searchable && (
        <SearchBox query={place.search ?? ""} ask={(search) => go({ channel: view.channel.id, search })} />
      )}
      <h2>Channels</h2>
      <ul>{rooms.map(entry)}</ul>
      <h2>App</h2>
      <ul>
        {direct.map(entry)}
        <li>
          <button
            type="button"
            aria-current={place.home === true ? "page" : undefined}
            onClick={() => {
              does({ kind: "openHome" });
              go({ channel: view.channel.id, home: true });
            }}
          >
            {view.app.name} home
          </button>
        </li>
        {view.globalShortcuts.map(({ name, callbackId }) => (
          <li key={callbackId}>
            <button type="button" onClick={() => does({ kind: "shortcut", callbackId })}>
              ⚡ {name}
            </button>
          </li>
        ))}
      </ul>
      <p class="connection">
        <span class={view.app.connected ? "dot on" : "dot"} aria-hidden="true" />
        {view.app.connected ? `${view.app.name} is connected` : `${view.app.name} is not connected`}
      </p>
      <label class="who">
        You are
        <select value={view.me.id} onChange={(event) => go({ ...place, as: event.currentTarget.value })}>
          {view.people.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name}
              {person.kind === "member" ? "" : ` (${person.kind.replaceAll("_", " ")})`}
            </option>
          ))}
        </select>
      </label>
    </nav>
  );
}

/** Whether one looks at a channel, and not at something in its place. */
const isThere = ({ home, search }: Place): boolean => home !== true && search === undefined;

function channelTitle({ kind, name, shared }: ChannelView): string {
  const notes = [...(kind === "private" ? ["private"] : []), ...(shared ? ["shared"] : [])];
  return `${kind === "im" ? "" : "# "}${name}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

interface PaneProps {
  view: View;
  go: Go;
  does: Does;
  send: Send;
  nameOf: NameOf;
}

function Conversation({ view, go, does, send, nameOf }: PaneProps): JSX.Element {
  const { channel } = view;
  const direct = channel.kind === "im";
  const openThread = (thread: string): void => go({ channel: channel.id, thread });
  const acts = { does, nameOf, people: view.people, openThread, shortcuts: view.messageShortcuts };
  return (
    <section class="pane" aria-label={channelTitle(channel)}>
      <header class="pane-head">
        <h2>{channelTitle(channel)}</h2>
      </header>
      <Messages messages={view.messages} place={channel.id} acts={acts}>
        {view.messages.length === 0 && (
          <p class="empty">
            {direct
              ? `Nothing said yet. Ask ${view.app.name} something.`
              : `Nothing said yet. Mention @${view.app.name} with a question, or pin a message to keep it.`}
          </p>
        )}
      </Messages>
      {view.prompts.length > 0 && (
        <div class="prompts">
          {view.prompts.map(({ title, message }) => (
            <button
              key={title}
              type="button"
              onClick={() => does({ kind: "say", channel: channel.id, text: message, files: [] })}
            >
              {title}
            </button>
          ))}
        </div>
      )}
      {channel.member ? (
        <Composer
          key={channel.id}
          channel={channel.id}
          hint={`Message ${channelTitle(channel)}`}
          appName={view.app.name}
          mention={!direct}
          commands={view.commands}
          send={send}
        />
      ) : (
        <p class="empty">
          <button type="button" class="primary" onClick={() => does({ kind: "join", channel: channel.id })}>
            Join {channelTitle(channel)}
          </button>
        </p>
      )}
    </section>
  );
}

function ThreadPane({ view, thread, go, does, send, nameOf }: PaneProps & { thread: NonNullable<View["thread"]> }) {
  const { channel } = view;
  const { session, ts } = thread;
  const works =
    session?.status === "processing" || thread.messages.some(({ stream }) => stream?.state === "in_progress");
  return (
    <aside class="pane thread" aria-label="Thread">
      <header class="pane-head">
        <h2>{session?.title ? session.title : "Thread"}</h2>
        <button type="button" aria-label="Close the thread" onClick={() => go({ channel: channel.id })}>
          ✕
        </button>
      </header>
      <Messages
        messages={thread.messages}
        place={ts}
        acts={{ does, nameOf, people: view.people, shortcuts: view.messageShortcuts }}
      />
      {works && (
        <p class="working" role="status">
          {session?.words ? session.words : "Working…"}
          <button type="button" onClick={() => does({ kind: "stop", channel: channel.id, threadTs: ts })}>
            Stop
          </button>
        </p>
      )}
      <Composer
        key={ts}
        channel={channel.id}
        threadTs={ts}
        hint="Reply in the thread"
        appName={view.app.name}
        mention={channel.kind !== "im"}
        commands={[]}
        send={send}
      />
    </aside>
  );
}

/** Keeps its end in sight while it grows, unless one has scrolled up to read. */
function Messages(props: {
  messages: readonly MessageView[];
  place: string;
  acts: MessageActs;
  children?: ComponentChildren;
}): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    atEnd.current = true;
  }, [props.place]);
  useEffect(() => {
    const box = frame.current;
    if (box !== null && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [props.messages, props.place]);
  return (
    <div
      class="messages"
      ref={frame}
      tabIndex={0}
      role="log"
      aria-label="Messages"
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      }}
    >
      {props.children}
      {props.messages.map((message) => (
        <Message key={message.ts} message={message} acts={props.acts} />
      ))}
    </div>
  );
}

function Home({ view, nameOf, does }: { view: View; nameOf: NameOf; does: Does }): JSX.Element {
  return (
    <section class="pane home" aria-label={`${view.app.name} home`}>
      <header class="pane-head">
        <h2>{view.app.name}</h2>
      </header>
      <div class="messages">
        {view.home === undefined ? (
          <p class="empty">{view.app.name} has not shown anything here yet.</p>
        ) : (
          <Blocks
            blocks={view.home}
            surface={{
              nameOf,
              people: view.people,
              press: (actionId, value) => does({ kind: "press", viewId: "home", actionId, value }),
            }}
          />
        )}
      </div>
    </section>
  );
}

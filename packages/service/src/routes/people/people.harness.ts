import { Database } from "../../store/sqlite/database.ts";
import { hashOfPassword } from "../../sign-in/password.ts";
import { beginBrowserSession } from "../../store/people/browser-sessions.ts";
import { addLocalPerson, personCalled, setPassword } from "../../store/people/persons.ts";
import { createService, type Service, type ServiceOptions } from "../../index.ts";

/** The password of everybody made here. */
export const PASSWORD = "correct horse battery";
const HASH = await hashOfPassword(PASSWORD);

/** A service in which people sign in, and a clock that tests own. */
export interface PeopleService {
  readonly service: Service;
  readonly database: Database;
  readonly clock: { now: number };
  /** Makes a local account with `PASSWORD`. */
  addPerson(user: string, email?: string): number;
  /** A browser in which somebody is signed in already: passwords take their time. */
  browserOf(user: string): Browser;
  /** A key of somebody who agrees in a browser. */
  keyOf(user: string, purpose?: string): Promise<string>;
}

/** Opens one in this process. */
export function openPeople(options: Partial<ServiceOptions> = {}): PeopleService {
  const database = new Database(":memory:");
  const clock = { now: Date.parse("2026-03-02T09:00:00Z") };
  const service = createService({ database, apiKey: "tl_TESTowner", now: () => clock.now, ...options });
  return {
    service,
    database,
    clock,
    addPerson(user, email) {
      const { id } = database.transact(addLocalPerson({ user, email }, clock.now));
      database.transact(setPassword(id, HASH));
      return id;
    },
    browserOf(user) {
      const person = database.perform(personCalled(user));
      const browser = new Browser(service);
      browser.cookies = `threadlore-session-8411=${database.transact(beginBrowserSession(person?.id ?? 0, clock.now))}`;
      return browser;
    },
    async keyOf(user, purpose = "terminal") {
      const { body: begun } = await ask(service, "/sign-in/device", { client_id: "Test", purpose });
      await this.browserOf(user).send("/sign-in/device/answer", {
        user_code: begun["user_code"] ?? "",
        answer: "agree",
      });
      const { body } = await poll(service, begun["device_code"] ?? "");
      return body["access_token"] ?? "";
    },
  };
}

/** What a browser shows. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where it was led to. */
  readonly location: string | null;
}

/** A browser of somebody: it keeps cookies, says where forms were sent from, and follows nothing by itself. */
export class Browser {
  readonly #service: Service;
  readonly #origin: string;
  readonly #language: string;
  cookies = "";

  constructor(service: Service, { origin = "http://127.0.0.1:8411", language = "en" } = {}) {
    this.#service = service;
    this.#origin = origin;
    this.#language = language;
  }

  open(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#send(path, { headers: { "sec-fetch-site": "none", ...headers } });
  }

  send(path: string, fields: Record<string, string>, headers: Record<string, string | null> = {}): Promise<Shown> {
    const sent = new Headers({ origin: this.#origin, "sec-fetch-site": "same-origin" });
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    return this.#send(path, { method: "POST", headers: sent, body: new URLSearchParams(fields) });
  }

  signIn(user: string, password = PASSWORD, next = ""): Promise<Shown> {
    return this.send("/sign-in", { user, password, next });
  }

  async #send(path: string, init: RequestInit): Promise<Shown> {
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html");
    headers.set("accept-language", this.#language);
    if (this.cookies !== "") headers.set("cookie", this.cookies);
    const reply = await this.#service.fetch(new Request(`${this.#origin}${path}`, { ...init, headers }));
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const others = this.cookies.split("; ").filter((one) => one !== "" && one.split("=")[0] !== pair.split("=")[0]);
      this.cookies = (cookie.includes("Max-Age=0") ? others : [...others, pair]).join("; ");
    }
    return {
      status: reply.status,
      text: await reply.text(),
      headers: reply.headers,
      location: reply.headers.get("location"),
    };
  }
}

/** A program that asks for a key. */
export async function ask(service: Service, path: string, fields: Record<string, string>) {
  const reply = await service.fetch(
    new Request(`http://127.0.0.1:8411${path}`, { method: "POST", body: new URLSearchParams(fields) }),
  );
  return { status: reply.status, body: (await reply.json()) as Record<string, string> };
}

/** Asks whether the person has answered. */
export const poll = (service: Service, deviceCode: string) =>
  ask(service, "/sign-in/token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: deviceCode,
    client_id: "terminal",
  });

/** Sends a request with a key. */
export async function call(service: Service, key: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const reply = await service.fetch(
    new Request(`http://127.0.0.1:8411${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await reply.text();
  return { status: reply.status, body: text === "" ? undefined : (JSON.parse(text) as never) };
}

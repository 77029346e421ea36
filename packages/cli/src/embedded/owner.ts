import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import type {
  AuditKind,
  GroupOfRule,
  NewKey,
  Person,
  RemovalOptions,
  RuleChange,
  Steps,
  Store,
} from "@threadlore/service";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { databaseUrl } from "./database-url.ts";
import { noDatabase, ownedFiles } from "./embedded.ts";

type Service = typeof import("@threadlore/service");

/** What the owner of an embedded service may do to its database, while the service runs or not. */
export type Owner = ReturnType<typeof ownerOf>;

/** A group a rule is about; without a name everybody who signed in. */
export interface NamedGroup {
  readonly name: string | undefined;
  /** Of the identity provider that says who is in it; absent: this service. */
  readonly issuer: string | undefined;
}

/** Who runs this, as the operating system has them. */
function accountHere(): string {
  try {
    return userInfo().username;
  } catch {
    // It has a number only, as in many containers.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** The end of a person for good. */
function removalOf(service: Service, { store, now }: Pick<Opened, "store" | "now">) {
  return {
    holdingsOf: async (user: string) => {
      const found = await store.read(service.personWithHoldings(user));
      if (found !== undefined) return found;
      throw new UsageError(`There is no person ${user}. \`person list\` shows them.`);
    },
    removePerson: (person: Person, options: Pick<RemovalOptions, "isLastAdminMeant">) =>
      service.removePerson(store, person, {
        ...options,
        noting: () => service.noteCommand("change people", accountHere(), now()),
      }),
  };
}

function ownerOf(service: Service, { store, now }: Opened) {
  /** Changes something, and has it noted. */
  const noted = <Result>(kind: AuditKind, steps: () => Steps<Result>): Promise<Result> =>
    store.write(function* () {
      const result = yield* steps();
      yield* service.noteCommand(kind, accountHere(), now());
      return result;
    });
  const personCalled = async (user: string): Promise<Person> => {
    const person = await store.read(service.personCalled(user));
    if (person !== undefined) return person;
    throw new UsageError(`There is no person ${user}. \`person list\` shows them.`);
  };
  const groupOf = ({ name, issuer }: NamedGroup): GroupOfRule =>
    name === undefined ? service.EVERYBODY_GROUP : service.groupNamed(name, issuer);
  return {
    ...removalOf(service, { store, now }),
    addKey: async (settings: NewKey): Promise<{ id: number; key: string }> => {
      const key = service.mintKey();
      return { id: await noted("change keys", () => service.addKey(key, settings, now())), key };
    },
    listKeys: () => store.read(service.listKeys()),
    revokeKey: async (id: number): Promise<void> => {
      const isRevoked = await noted("change keys", () => service.revokeKey(id, now()));
      if (!isRevoked) throw new UsageError(`There is no valid key ${id}. \`key list\` shows them.`);
    },
    addPerson: async (
      settings: Parameters<Service["addLocalPerson"]>[0] & { readonly groups: readonly string[] },
      password: string,
    ) => {
      const hash = await service.hashOfPassword(password);
      return noted("change people", function* () {
        const person = yield* service.addLocalPerson(settings, now());
        yield* service.setPassword(person.id, hash);
        for (const group of settings.groups) yield* service.joinGroup(person.id, group);
        return person;
      });
    },
    mintPassword: () => service.mintPassword(),
    weaknessOf: (password: string, user: string) => service.weaknessOf(password, user),
    changePerson: async (user: string, change: Parameters<Service["changePerson"]>[1]): Promise<void> => {
      const { id } = await personCalled(user);
      await noted("change people", () => service.changePerson(id, change));
    },
    listPersons: () => store.read(service.listPersons()),
    setPassword: async (user: string, password: string): Promise<void> => {
      const { id } = await personCalled(user);
      const hash = await service.hashOfPassword(password);
      await noted("change people", () => service.setPassword(id, hash));
    },
    disablePerson: async (user: string): Promise<number | undefined> => {
      const { id } = await personCalled(user);
      return noted("change people", () => service.disablePerson(id, now()));
    },
    enablePerson: async (user: string): Promise<boolean> => {
      const { id } = await personCalled(user);
      return noted("change people", () => service.enablePerson(id));
    },
    joinGroup: async (user: string, group: string): Promise<boolean> => {
      const { id } = await personCalled(user);
      return noted("change people", () => service.joinGroup(id, group));
    },
    leaveGroup: async (user: string, group: string): Promise<boolean> => {
      const { id } = await personCalled(user);
      return noted("change people", () => service.leaveGroup(id, group));
    },
    listRules: () => store.read(service.listRules()),
    setRule: (group: NamedGroup, change: RuleChange) =>
      noted("change rules", () => service.setRule(groupOf(group), change)),
    removeRule: (group: NamedGroup) => noted("change rules", () => service.removeRule(groupOf(group))),
    listAuditEntries: (filter: Parameters<Service["listAuditEntries"]>[0]) =>
      store.read(service.listAuditEntries(filter)),
    momentOf: service.momentOf,
    createPairing: () => noted("pair extension", () => service.createPairing(now())),
    addConnector: (connector: Parameters<Service["addConnector"]>[0]) =>
      noted("administer", () => service.addConnector(connector)),
    addCredential: (credential: Parameters<Service["addCredential"]>[0]) =>
      noted("administer", () => service.addCredential(credential)),
    addPair: (pair: Parameters<Service["addPair"]>[0]) => noted("administer", () => service.addPair(pair)),
    addDocumentSet: (set: Parameters<Service["addDocumentSet"]>[0]) =>
      noted("administer", () => service.addDocumentSet(set)),
    listConnectors: () => store.read(service.listConnectors()),
    listCredentials: () => store.read(service.listCredentials()),
    listPairs: () => store.read(service.listPairs()),
    listDocumentSets: () => store.read(service.listDocumentSets()),
    countDocuments: () => store.read(service.countDocuments()),
    listHeldDocuments: () => store.read(service.listHeldDocuments()),
  };
}

/**
 * Does `work` on the embedded service's database. The service's code is loaded only now: most commands talk to a
 * server and never need it. Throws UsageError when there is no database, or the work cannot be done.
 */
export async function withOwner<Result>(
  terminal: Terminal,
  data: string | undefined,
  work: (owner: Owner) => Result | Promise<Result>,
): Promise<Result> {
  const url = databaseUrl(terminal);
  const { database } = await ownedFiles(terminal, data);
  if (url === undefined && !existsSync(database)) throw new UsageError(noDatabase(database));
  const service = await import("@threadlore/service");
  const opened = url === undefined ? openFile(service, database) : await openOnServer(service, url);
  try {
    return await work(ownerOf(service, opened));
  } catch (error) {
    const isPlain = error instanceof service.ConnectorError || error instanceof service.PersonError;
    throw isPlain ? new UsageError(error.message) : error;
  } finally {
    await opened.close();
  }
}

function openFile({ Database, SqliteStore }: Service, path: string): Opened {
  const db = new Database(path);
  return { store: new SqliteStore(db), now: Date.now, close: async () => db.close() };
}

async function openOnServer({ openStore }: Service, url: string): Promise<Opened> {
  const store = await openStore(url);
  return { store, now: () => store.presence.now(), close: () => store.close() };
}

interface Opened {
  readonly store: Store;
  /** Milliseconds since 1970, by the clock of whatever works on the store. */
  now(): number;
  close(): Promise<void>;
}

import { type Engine, upsert, type Value } from "./engine.ts";
import type { PinRecord } from "./store.ts";

/** Kept messages read by one statement. */
const AT_ONCE = 1_000;

function rowOf(pin: PinRecord) {
  const { channel, ts, due, state, updatedAt, root = null, documentId, serverId = null } = pin;
  const moments = { due: due === undefined ? null : Math.round(due), updated_at: Math.round(updatedAt) };
  const ids = { document_id: documentId, server_id: serverId };
  return { channel, ts, pin: JSON.stringify(pin), state, root, ...ids, ...moments };
}

/** Messages that are kept as documents. */
export function pinQueries(engine: Engine) {
  async function pins(rest: string, ...values: readonly Value[]): Promise<readonly PinRecord[]> {
    const rows = await engine.query(`SELECT pin FROM pins ${rest}`, ...values);
    return rows.map((row) => JSON.parse(String(row["pin"])) as PinRecord);
  }
  return {
    async savePin(pin: PinRecord): Promise<void> {
      await upsert(engine, "pins", ["channel", "ts"], rowOf(pin));
    },
    /** Saves a pin in place of what was found before; false, and nothing is saved, where somebody changed that meanwhile. */
    async replacePin(found: PinRecord, pin: PinRecord): Promise<boolean> {
      const { channel, ts, ...changed } = rowOf(pin);
      const columns = Object.keys(changed).map((column, at) => `${column} = $${at + 4}`);
      const sql = `UPDATE pins SET ${columns.join(", ")} WHERE channel = $1 AND ts = $2 AND pin = $3`;
      return (await engine.run(sql, channel, ts, JSON.stringify(found), ...Object.values(changed))) > 0;
    },
    findPin: async (channel: string, ts: string): Promise<PinRecord | undefined> =>
      (await pins("WHERE channel = $1 AND ts = $2", channel, ts))[0],
    /** All of a channel, by their timestamps. Of tens of thousands a part at a time, so that others get their turn. */
    async pinsOf(channel: string): Promise<readonly PinRecord[]> {
      const found: PinRecord[] = [];
      for (let last = ""; ;) {
        const part = await pins(`WHERE channel = $1 AND ts > $2 ORDER BY ts LIMIT ${AT_ONCE}`, channel, last);
        found.push(...part);
        if (part.length < AT_ONCE) return found;
        last = part.at(-1)?.ts ?? "";
      }
    },
    /** The message itself, and what else of its thread is kept: its root, and replies. */
    async pinsOfThread(channel: string, { ts, root }: { readonly ts: string; readonly root: string }) {
      // Asked with OR, every message of the channel would be looked at.
      const thread = "UNION SELECT pin FROM pins WHERE channel = $1 AND root = $3";
      const found = await pins(`WHERE channel = $1 AND ts IN ($2, $3) ${thread}`, channel, ts, root);
      return found.toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
    },
    /** By the id of its document: the one that was sent, or the server's own. What is gone is not found. */
    async pinOfDocument(id: string): Promise<PinRecord | undefined> {
      const kept = "AND state <> 'tombstone' LIMIT 1";
      const [sent] = await pins(`WHERE document_id = $1 ${kept}`, id);
      return sent ?? (await pins(`WHERE server_id = $1 ${kept}`, id))[0];
    },
    /** What of a channel is kept at present, the latest change first: so many, and how many there are in all. */
    async newestPins(channel: string, most: number): Promise<{ newest: readonly PinRecord[]; count: number }> {
      const kept = "WHERE channel = $1 AND state <> 'tombstone'";
      const [row] = await engine.query(`SELECT count(*) AS kept FROM pins ${kept}`, channel);
      const newest = await pins(`${kept} ORDER BY updated_at DESC, ts DESC LIMIT $2`, channel, most);
      return { newest, count: Number(row?.["kept"] ?? 0) };
    },
    /** Of all messages: there may be hundreds of thousands. */
    allPins: () => pins("ORDER BY channel, ts"),
    /** Those a server took after this moment, and of which nothing is known since. */
    pinsAccepted: (since: number) =>
      pins("WHERE state = 'accepted' AND updated_at > $1 ORDER BY updated_at, channel, ts", Math.round(since)),
    /** Those whose `due` has come, the longest waiting first. */
    pinsDue: (now: number) => pins("WHERE due IS NOT NULL AND due <= $1 ORDER BY due, channel, ts", Math.round(now)),
    async forgetPin(channel: string, ts: string): Promise<void> {
      await engine.run("DELETE FROM pins WHERE channel = $1 AND ts = $2", channel, ts);
    },
  };
}

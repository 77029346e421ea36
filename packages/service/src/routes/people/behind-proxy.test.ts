import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { NAME, send, startNetwork } from "../../listening/network.harness.ts";
import { hashOfPassword } from "../../sign-in/password.ts";
import { addLocalPerson, setPassword } from "../../store/people/persons.ts";
import { Database } from "../../store/sqlite/database.ts";
import { PASSWORD } from "./people.harness.ts";

/** A service behind a proxy of this machine, in which Anna has an account. */
async function startBehindProxy() {
  const database = join(temporaryFolder(), "threadlore.db");
  const db = new Database(database);
  const { id } = db.transact(addLocalPerson({ user: "anna" }, Date.now()));
  const hash = await hashOfPassword(PASSWORD);
  db.transact(setPassword(id, hash));
  db.close();
  const network = { trustedProxies: ["127.0.0.0/8"], hosts: [NAME, "other.example.com"], publicUrl: `https://${NAME}` };
  return startNetwork(network, { database });
}

describe("pages behind a proxy", () => {
  it("work at the address people were told, whatever the proxy calls it by, and send nothing from another", async () => {
    const { port } = await startBehindProxy();
    const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) => {
      const body = new URLSearchParams(fields).toString();
      const type = "application/x-www-form-urlencoded";
      const length = String(Buffer.byteLength(body));
      return send(port, path, {
        method: "POST",
        body,
        headers: {
          "x-forwarded-for": "192.0.2.1",
          "x-forwarded-proto": "https",
          "x-forwarded-host": NAME,
          "content-type": type,
          "content-length": length,
          ...headers,
        },
      });
    };
    const words = { user: "anna", password: PASSWORD };
    const own = { origin: `https://${NAME}`, "sec-fetch-site": "same-origin" };
    const signedIn = await post("/sign-in", words, own);
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, "/account"]);
    const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-threadlore=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const forwarded = { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https", "x-forwarded-host": NAME };
    const account = await send(port, "/account", { headers: { ...forwarded, cookie: cookie.split(";")[0] ?? "" } });
    expect([account.status, account.body]).toEqual([200, expect.stringContaining("anna")]);
    for (const origin of [
      "https://other.example.com",
      `http://${NAME}`,
      `http://127.0.0.1:${port}`,
      "https://evil.test",
    ]) {
      const refused = await post("/sign-in", words, { ...own, origin });
      expect([origin, refused.status, refused.headers["set-cookie"]]).toEqual([origin, 403, undefined]);
    }
    const begun = await post("/sign-in/device", { client_id: "Terminal", purpose: "terminal" }, {});
    expect(begun.body).toMatchObject({ verification_uri: `https://${NAME}/sign-in/device` });
  });
});

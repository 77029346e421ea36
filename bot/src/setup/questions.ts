import { normalizeBaseUrl, DEPLOYED_PROFILE } from "@threadlore/client";
import { diagnoseConnection, type ServerFinding } from "@threadlore/client/diagnose";
import { checkAppToken, checkBotToken } from "../operations/slack-findings.ts";
import type { Feature } from "../settings/manifest.ts";
import type { Desk } from "./desk.ts";

/** Has the tokens given, each tried with Slack before it is kept. `isHttp`: events are posted, no socket is opened. */
export async function askForTokens(desk: Desk, features: readonly Feature[], isHttp: boolean): Promise<void> {
  const apiUrl = desk.known["SLACK_API_URL"] || undefined;
  await desk.settle({
    name: "SLACK_BOT_TOKEN",
    question: "Bot User OAuth Token (xoxb-…, not shown): ",
    // What a scope is missing for is told, and is no reason to ask for the token again.
    check: async (token) => (await checkBotToken(token, features, apiUrl)).map(unlessScopes),
  });
  if (isHttp) {
    await desk.settle({ name: "SLACK_SIGNING_SECRET", question: "Signing Secret (Basic Information, not shown): " });
    return;
  }
  await desk.settle({
    name: "SLACK_APP_TOKEN",
    question: "App-level token (xapp-…, not shown): ",
    check: async (token) => [await checkAppToken(token, apiUrl)],
  });
}

function unlessScopes(finding: ServerFinding): ServerFinding {
  return finding.what === "scopes" && finding.ok === false ? { ...finding, ok: "unknown" } : finding;
}

/** Has the knowledge server and the keys given, each tried there before it is kept. */
export async function askForServer(desk: Desk): Promise<void> {
  const allowPlainHttp = desk.known["THREADLORE_ALLOW_HTTP"] === "yes";
  let baseUrl = "";
  const findings = (more: Partial<Parameters<typeof diagnoseConnection>[0]>) =>
    diagnoseConnection({ baseUrl, allowPlainHttp, needs: ["ask"], ...more });

  await desk.settle({
    name: "THREADLORE_URL",
    question: "Address of your knowledge server, such as https://knowledge.example.com/api: ",
    async check(address) {
      const found = (await findings({ baseUrl: address })).filter(({ what }) => what === "base URL");
      // It answers there all the same: the bot finds `/api` by itself.
      const moved = found.find(({ proposal }) => proposal?.baseUrl !== undefined)?.proposal?.baseUrl;
      if (moved === undefined && found.some(({ ok }) => ok === false)) return found;
      baseUrl = moved ?? normalizeBaseUrl(address, { allowPlainHttp });
      return found.map((finding) => ({ ...finding, ok: true }));
    },
  });
  if (baseUrl === "") return;
  await desk.settle({
    name: "THREADLORE_KEY",
    question: "Key for channels, which sees only what everyone may read (not shown): ",
    check: async (apiKey) => ofKey(await findings({ apiKey })),
  });
  await desk.settle({
    name: "THREADLORE_DM_KEY",
    question: "Wider key for direct messages (not shown; Enter for none): ",
    isOptional: true,
    check: async (apiKey) => ofKey(await findings({ apiKey })),
  });
  const ingestKey = await desk.settle({
    name: "THREADLORE_INGEST_KEY",
    question: "Key that may ingest (not shown; Enter: pinned messages are not kept): ",
    isOptional: true,
    async check(apiKey) {
      const found = await findings({ apiKey, needs: ["ingest"] });
      const path = found.find(({ proposal }) => proposal?.profile !== undefined)?.proposal?.profile?.ingestionPath;
      if (path === undefined) return ofKey(found);
      const profile = path === DEPLOYED_PROFILE.ingestionPath ? "deployed" : JSON.stringify({ ingestionPath: path });
      desk.values.set("THREADLORE_PROFILE", profile);
      return ofKey(await findings({ apiKey, needs: ["ingest"], profile: { ingestionPath: path } }));
    },
  });
  if (ingestKey === undefined) return;
  await desk.settle({
    name: "THREADLORE_PAIR",
    question: "Pair kept messages belong to (its number, or none): ",
    async check(pair) {
      if (pair === "none") return [];
      const profile = desk.values.get("THREADLORE_PROFILE") === "deployed" ? DEPLOYED_PROFILE : undefined;
      const found = await findings({ apiKey: ingestKey, needs: ["ingest"], ccPairId: Number(pair), profile });
      return found.filter(({ what }) => what === "pair");
    },
  });
}

/** What concerns the key: address and clock were told before. */
function ofKey(findings: readonly ServerFinding[]): ServerFinding[] {
  return findings.filter(({ what }) => what !== "base URL" && what !== "clock" && what !== "pair" && what !== "memory");
}

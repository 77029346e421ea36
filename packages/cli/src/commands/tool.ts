import { createAdminClient } from "@threadlore/client/admin";
import { JsonObject } from "@threadlore/client/models";
import type { Command } from "commander";
import { readSettings, type ServerFlags } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { proxiedFor } from "../server/going-out.ts";
import { UsageError } from "../exit-codes.ts";
import { readNamed } from "../folders.ts";
import { fetchPublicPage } from "../ingest/guarded-fetch.ts";
import { addGroup, addServerOptions, tell } from "./options.ts";
import { styled, table, type Terminal } from "../terminal/output.ts";

interface ValidateFlags extends ServerFlags {
  allowPrivate?: boolean;
}

/** `threadlore tool validate`. */
export function addToolCommand(program: Command, terminal: Terminal): void {
  const tool = addGroup(program, "tool", "check definitions of custom tools", "Custom tools.");
  const validate = tool
    .command("validate")
    .description("Checks a tool definition (OpenAPI 3, as JSON) and shows the methods it gives. Needs an admin key.")
    .argument("<file-or-url>", "a JSON file, - for standard input, or an http(s) address")
    .option("--allow-private", "fetch the definition also from this machine or a private network");
  addServerOptions(validate).action(async (from: string, flags: ValidateFlags) => {
    const definition = parseDefinition(await readDefinition(terminal, from, flags.allowPrivate === true), from);
    const settings = await readSettings(terminal, flags);
    const admin = createAdminClient(connection(terminal, settings));
    const { methods } = await admin.validateTool({ definition }, { signal: terminal.interrupted });
    const rows = methods.map(({ name, method, path, summary }) => [name, method.toUpperCase(), path, summary]);
    const [head = "", ...body] = table([["NAME", "METHOD", "PATH", "SUMMARY"], ...rows]).split("\n");
    const out = `${styled(terminal.out, "bold", head)}\n${body.join("\n")}`;
    tell(terminal, flags, { json: { ok: true, methods }, out });
  });
}

async function readDefinition(terminal: Terminal, from: string, allowPrivate: boolean): Promise<string> {
  if (/^https?:\/\//i.test(from)) {
    const page = await fetchPublicPage(from, {
      allowPrivate,
      isProxied: proxiedFor(terminal),
      signal: terminal.interrupted,
    });
    return new TextDecoder().decode(page.bytes);
  }
  return await readNamed(terminal, from, "file");
}

function parseDefinition(text: string, from: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new UsageError(`${from} is not JSON (${why}). A definition in YAML has to be converted first.`);
  }
  const parsed = JsonObject.safeParse(value);
  if (!parsed.success) throw new UsageError(`${from} holds no JSON object, so it is no tool definition.`);
  return parsed.data;
}

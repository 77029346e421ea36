import { ClientError, InvalidRequestError, UnsupportedError } from "@threadlore/client";
import { createAdminClient } from "@threadlore/client/admin";
import { AccessType } from "@threadlore/client/models";
import { type Command, Option } from "commander";
import { readSettings, type ServerFlags } from "../server/config.ts";
import { connection } from "../server/connection.ts";
import { addGroup, addServerOptions, tell, wholeNumber } from "./options.ts";
import { oneLine, type Terminal } from "../terminal/output.ts";
import { addCredentialStoreCommands } from "./connector.ts";

interface SwapFlags extends ServerFlags {
  accessType?: AccessType;
}

/** `threadlore credential swap`, and `credential add|list` of the embedded service. */
export function addCredentialCommand(program: Command, terminal: Terminal): void {
  const credential = addGroup(
    program,
    "credential",
    "replace the credential of a connector; add and list them",
    "Credentials of connectors.",
  );
  const swap = credential
    .command("swap")
    .description("Replaces the credential a connector uses. Needs an admin key.")
    .argument("<new-id>", "number of the credential to use from now on", wholeNumber(0))
    .argument("<connector-id>", "number of the connector", wholeNumber(0))
    .addOption(
      new Option("--access-type <type>", "access of the pair, for servers that ask for it and do not tell").choices(
        AccessType.options,
      ),
    );
  addServerOptions(swap).action(async (newCredentialId: number, connectorId: number, flags: SwapFlags) => {
    const settings = await readSettings(terminal, flags);
    const admin = createAdminClient(connection(terminal, settings));
    const request = { new_credential_id: newCredentialId, connector_id: connectorId, access_type: flags.accessType };
    const answer = await admin.swapCredential(request, { signal: terminal.interrupted }).catch((error: unknown) => {
      throw asTyped(error);
    });
    const { success: ok, message } = answer;
    tell(terminal, flags, { json: { ok, message }, out: `${oneLine(message)}\n` });
  });
  addCredentialStoreCommands(credential, terminal);
}

/** A refusal that names a field of the request, with the option a person types instead. */
function asTyped(error: unknown): unknown {
  if (!(error instanceof ClientError) || !error.message.includes("access_type")) return error;
  const { status, host, code } = error;
  const message = error.message
    .replace("Pass access_type: ", "Pass --access-type ")
    .replace("access_type", "access type");
  const facts = { status, host, code };
  return error instanceof UnsupportedError
    ? new UnsupportedError(message, facts, { cause: error })
    : new InvalidRequestError(message, [], facts, { cause: error });
}

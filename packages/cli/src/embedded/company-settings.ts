import type { ServerFinding } from "@threadlore/client/diagnose";
import type { Company, CompanySettings } from "@threadlore/service";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { secretOf } from "./secret-setting.ts";

/**
 * The company's identity provider, as the environment names it; undefined: no issuer is set. Throws UsageError where something
 * is missing, or its secret (THREADLORE_OIDC_CLIENT_SECRET_FILE) cannot be read.
 */
function companyFromEnvironment(terminal: Terminal): CompanySettings | undefined {
  const read = (name: string): string | undefined => terminal.env[name]?.trim() || undefined;
  const [issuer, clientId] = [read("THREADLORE_OIDC_ISSUER"), read("THREADLORE_OIDC_CLIENT_ID")];
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined) {
    throw new UsageError(
      issuer === undefined
        ? "THREADLORE_OIDC_CLIENT_ID is set; set THREADLORE_OIDC_ISSUER as well."
        : "THREADLORE_OIDC_ISSUER is set; set THREADLORE_OIDC_CLIENT_ID to the name the provider gave this service.",
    );
  }
  const clientSecret = secretOf(terminal, "THREADLORE_OIDC_CLIENT_SECRET");
  if (clientSecret !== undefined) terminal.hide(clientSecret);
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: read("THREADLORE_OIDC_SCOPES"),
    groupsClaim: read("THREADLORE_OIDC_GROUPS_CLAIM"),
    domains: read("THREADLORE_OIDC_DOMAINS")?.split(/[\s,]+/) ?? [],
    name: read("THREADLORE_OIDC_NAME"),
  };
}

/** The same, to be worked with; nothing is asked of it yet. Throws UsageError where the settings cannot be used. */
export async function companyOf(terminal: Terminal): Promise<Company | undefined> {
  const settings = companyFromEnvironment(terminal);
  if (settings === undefined) return undefined;
  const { openCompany } = await import("@threadlore/service");
  try {
    return await openCompany(settings);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`THREADLORE_OIDC_ISSUER and what is set with it cannot be used. ${error.message}`);
  }
}

/** Whether the identity provider answers, and is the one it should be, as a line of the doctor; none where none is set. */
export async function companyFindings(terminal: Terminal): Promise<readonly ServerFinding[]> {
  const what = "identity provider";
  try {
    const company = await companyOf(terminal);
    if (company === undefined) return [];
    await company.look();
    const { issuer } = companyFromEnvironment(terminal) ?? {};
    return [{ what, ok: true, evidence: `${issuer} answers, and is who it should be.`, fix: "" }];
  } catch (error) {
    const fix = "docs/company-sign-in.md says what each setting means, and what the log says when nobody gets in.";
    if (error instanceof UsageError) return [{ what, ok: false, evidence: error.message, fix }];
    if (!(error instanceof Error && "reason" in error)) throw error;
    return [{ what, ok: false, evidence: `People cannot sign in: ${String(error.reason)}.`, fix }];
  }
}

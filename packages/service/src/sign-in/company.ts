import type { CompanySignIn, CompanySignInOptions } from "@threadlore/sign-in";

/** The company's identity provider, as an operator sets it. */
export interface CompanySettings extends Omit<CompanySignInOptions, "fetch"> {
  /** What people call it: the button says "Sign in with" it. Default: the host of the issuer. */
  readonly name?: string | undefined;
}

/** The company's identity provider, as the service works with it. */
export interface Company extends CompanySignIn {
  readonly name: string;
}

/**
 * The company's identity provider by its settings. Nothing is asked of it yet.
 * @throws TypeError, in plain words, where the settings cannot be used
 */
export async function openCompany({ name, ...options }: CompanySettings): Promise<Company> {
  // A service without one never loads what it takes.
  const { companySignIn } = await import("@threadlore/sign-in");
  return { ...companySignIn(options), name: name?.trim() || new URL(options.issuer).host };
}

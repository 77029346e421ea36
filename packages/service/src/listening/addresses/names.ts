import { domainToASCII } from "node:url";
import { canonicalAddress, inUrl } from "./address.ts";

/** A host as a URL or a Host header names it, in one spelling. */
export interface HostName {
  /** In small letters, IPv6 in brackets, without a dot at its end. */
  readonly name: string;
  /** Undefined: it says none. */
  readonly port: number | undefined;
}

/** Reads `NAME[:PORT]`; undefined where it is nothing a host can be called. */
export function parseHost(text: string): HostName | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if ((port ?? 0) > 65_535) return undefined;
  if (bracketed !== undefined) {
    const address = bracketed.includes("%") ? undefined : canonicalAddress(bracketed);
    return address === undefined || !bracketed.includes(":") ? undefined : { name: inUrl(address), port };
  }
  // What has letters of other scripts alone is translated: of plain ones an address would be made, of `0x7f.1` this machine's.
  const small = (plain ?? "").toLowerCase();
  const name = (/^[\w.-]*$/.test(small) ? small : /[!-,/:-@[-^`{-~\s]/.test(small) ? "" : domainToASCII(small)).replace(
    /\.$/,
    "",
  );
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name) ? { name, port } : undefined;
}

/** The names a service was given. */
export class HostNames {
  readonly #named: readonly HostName[];

  constructor(named: readonly HostName[]) {
    this.#named = named;
  }

  /** Each of them, IPv6 without brackets. */
  get all(): readonly string[] {
    return this.#named.map(({ name }) => name.replace(/^\[|\]$/g, ""));
  }

  /** Whether this is one of them: of one that was given without a port, any will do, since a port points nowhere else. */
  has({ name, port }: HostName): boolean {
    return this.#named.some((one) => one.name === name && (one.port === undefined || one.port === port));
  }
}

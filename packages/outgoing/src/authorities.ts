import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as tls from "node:tls";
import type { Environment } from "./proxies.ts";

/** The setting that names certificates to trust besides those of Node and of the system. */
export const CA_FILE = "THREADLORE_CA_FILE";

/** Certificates a person names, as texts, or what is wrong with their file. */
export type Authorities = { readonly own: readonly string[] } | { readonly problem: string };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the file of {@link CA_FILE}, one certificate or several as PEM; none where it is not set. */
export function readAuthorities(env: Environment, folder: string): Authorities {
  const named = env[CA_FILE]?.trim() ?? "";
  if (named === "") return { own: [] };
  if (!canTrustMore()) {
    return {
      problem: `${CA_FILE} needs Node 22.19 or newer; this is Node ${process.versions.node}. Name the file in NODE_EXTRA_CA_CERTS instead.`,
    };
  }
  const path = resolve(folder, named);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { problem: `${CA_FILE}: ${path} cannot be read (${code}): check the path and who owns the file.` };
  }
  const own = text.match(CERTIFICATE) ?? [];
  if (own.length === 0) {
    return {
      problem: `${CA_FILE}: ${path} holds no certificate: it has to be PEM, with a line that says BEGIN CERTIFICATE.`,
    };
  }
  const broken = own.findIndex((pem) => !isCertificate(pem));
  if (broken >= 0) return { problem: `${CA_FILE}: certificate ${broken + 1} in ${path} is damaged: save it again.` };
  return { own };
}

/** From now on the system's authorities are trusted as well, and these; those of Node and NODE_EXTRA_CA_CERTS are anyway. */
export function trust(own: readonly string[]): void {
  if (!canTrustMore()) return;
  const known = tls.getCACertificates("default");
  try {
    tls.setDefaultCACertificates([...known, ...tls.getCACertificates("system"), ...own]);
  } catch {
    // One in the system's store is none: what a person named holds all the same.
    tls.setDefaultCACertificates([...known, ...own]);
  }
}

/** Since 22.19, and in version 24 since 24.5. */
function canTrustMore(): boolean {
  return typeof tls.setDefaultCACertificates === "function";
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { ListeningError } from "../plan.ts";

/** A certificate and its key, known to fit. */
export interface CertificatePair {
  /** PEM, with the certificates it leans on behind it. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** Until when it is valid, milliseconds since 1970. */
  readonly validTo: number;
  /** Whether it was made for this host. */
  covers(host: string): boolean;
}

/** Where a pair lies. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads both files. Throws ListeningError where one cannot be read. */
export async function readPairFiles(files: CertificateFiles): Promise<CertificateFiles> {
  const texts = await Promise.all([readText(files.cert, "--tls-cert"), readText(files.key, "--tls-key")]);
  return { cert: texts[0], key: texts[1] };
}

async function readText(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    const why = REASONS[code] ?? `it cannot be read (${code})`;
    throw new ListeningError([`${flag} ${path}: ${why}.`], error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this program may not read it; give its user the right to",
  EPERM: "this program may not read it; give its user the right to",
  EISDIR: "it is a folder; name the file in it",
};

/**
 * The pair these texts are. Throws ListeningError where one is not what it should be, they do not belong together, or the
 * certificate is not valid at this moment.
 * @param files where they lie, for what is said
 * @param now milliseconds since 1970
 */
export function checkPair(texts: CertificateFiles, files: CertificateFiles, now: number): CertificatePair {
  const [leaf, ...others] = certificatesIn(texts.cert, files.cert);
  if (leaf === undefined) throw new ListeningError([`--tls-cert ${files.cert}: there is no certificate in it. ${PEM}`]);
  const key = keyIn(texts.key, files.key);
  if (!leaf.checkPrivateKey(key)) {
    const misplaced = others.some((one) => one.checkPrivateKey(key));
    throw new ListeningError([
      misplaced
        ? `--tls-cert ${files.cert}: the key's certificate has to stand first, and behind it those that vouch for it.`
        : `--tls-key ${files.key} is not the key of the certificate in ${files.cert}. Name the two that were made together.`,
    ]);
  }
  const { from, to } = validityOf(leaf);
  if (now >= to) {
    throw new ListeningError([`--tls-cert ${files.cert}: the certificate expired on ${dayOf(to)}. Get a new one.`]);
  }
  if (now < from) {
    throw new ListeningError([
      `--tls-cert ${files.cert}: the certificate is valid from ${dayOf(from)} on. Is this machine's clock right?`,
    ]);
  }
  try {
    createSecureContext(texts);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ListeningError([`--tls-cert ${files.cert}: TLS cannot use it (${why}).`], error);
  }
  return {
    ...texts,
    validTo: to,
    covers: (host) => (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined,
  };
}

const PEM = "It has to be PEM: text whose first line says CERTIFICATE.";

function certificatesIn(text: string, path: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new ListeningError([`--tls-cert ${path}: certificate ${index + 1} in it is damaged.`], error);
    }
  });
}

function keyIn(text: string, path: string): KeyObject {
  if (/^-+BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new ListeningError([
      `--tls-key ${path}: the key has a password, and nobody is here to type it. Write it without one, readable by this program's user only.`,
    ]);
  }
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new ListeningError(
      [`--tls-key ${path}: there is no key in it. It has to be PEM: text whose first line says PRIVATE KEY.`],
      error,
    );
  }
}

function validityOf({ validFrom, validTo }: X509Certificate): { from: number; to: number } {
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** From one look at the files to the next, milliseconds. */
const LOOK_MS = 10_000;
/** How long before its end a certificate is spoken of. */
const SOON_MS = 14 * 86_400_000;

/** What a pair on the disk tells those who use it. */
export interface PairListener {
  /** There is another pair; called with the first one too. */
  use(pair: CertificatePair): void;
  /** What was found wrong with another; the one in use stays. */
  keep(error: ListeningError): void;
  /** The one in use ends soon, or has ended. */
  ending(validTo: number): void;
}

/**
 * A pair on the disk, read anew when its files change. The two are seldom written in one moment, so what changed is taken
 * once it looks the same twice; `reload` does not wait for that.
 */
export class WatchedPair {
  readonly #files: CertificateFiles;
  readonly #listener: PairListener;
  #seen = "";
  #tried = "";
  #validTo = 0;
  #toldDay = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(files: CertificateFiles, listener: PairListener) {
    this.#files = files;
    this.#listener = listener;
  }

  /** Reads it for the first time, and looks again from then on. Throws ListeningError. */
  async start(lookMs: number = LOOK_MS): Promise<CertificatePair> {
    const texts = await readPairFiles(this.#files);
    const pair = this.#take(texts);
    this.#timer = setInterval(() => void this.#look(), lookMs).unref();
    return pair;
  }

  /** Reads it again now; where it cannot be used, the one before stays and the listener is told. */
  async reload(): Promise<boolean> {
    try {
      this.#take(await readPairFiles(this.#files));
      return true;
    } catch (error) {
      this.#listener.keep(problemOf(error));
      return false;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #take(texts: CertificateFiles): CertificatePair {
    this.#seen = this.#tried = stampOf(texts);
    const pair = checkPair(texts, this.#files, Date.now());
    this.#validTo = pair.validTo;
    this.#toldDay = "";
    this.#listener.use(pair);
    this.#tellEnd();
    return pair;
  }

  async #look(): Promise<void> {
    this.#tellEnd();
    const texts = await readPairFiles(this.#files).catch((error: unknown) => problemOf(error));
    const stamp = texts instanceof ListeningError ? texts.message : stampOf(texts);
    const isSettled = stamp === this.#seen;
    this.#seen = stamp;
    if (!isSettled || stamp === this.#tried) return;
    this.#tried = stamp;
    try {
      if (texts instanceof ListeningError) throw texts;
      this.#take(texts);
    } catch (error) {
      this.#listener.keep(problemOf(error));
    }
  }

  /** Once a day. */
  #tellEnd(): void {
    const day = dayOf(Date.now());
    if (Date.now() + SOON_MS < this.#validTo || day === this.#toldDay) return;
    this.#toldDay = day;
    this.#listener.ending(this.#validTo);
  }
}

function stampOf({ cert, key }: CertificateFiles): string {
  return `${cert}\n${key}`;
}

function problemOf(error: unknown): ListeningError {
  if (error instanceof ListeningError) return error;
  return new ListeningError([
    `The certificate could not be read: ${error instanceof Error ? error.message : "unknown"}.`,
  ]);
}

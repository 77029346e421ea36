import { randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";

/**
 * How passwords are kept: scrypt with 32 MB and three passes, as strong as OWASP asks for (N = 2^15, r = 8, p = 3). The cost
 * stands beside each hash, so that another one can be chosen later.
 */
const COST = { log2N: 15, r: 8, p: 3 } as const;
const HASH_BYTES = 32;

/** Shortest password somebody may choose, characters. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 256;

/** Checks that wait for their turn; one at a time runs, beside the thread that answers. */
const MAX_WAITING = 64;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** More people sign in at one moment than passwords can be checked. */
export class TooManyChecksError extends Error {
  override readonly name = "TooManyChecksError";
}

/** What is kept of a password: the cost, a salt and a hash, as one text. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derived(password, salt, COST);
  return `scrypt$${COST.log2N}$${COST.r}$${COST.p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/**
 * Whether a password is the one that is kept. Where nothing is kept the answer is no, and takes as long.
 * Throws TooManyChecksError.
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, log2N, r, p, salt = "", hash = ""] = (kept ?? NOBODYS).split("$");
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const own = await derived(password, Buffer.from(salt, "base64url"), cost);
  const other = Buffer.from(hash, "base64url");
  return own.length === other.length && timingSafeEqual(own, other) && kept !== undefined;
}

const NOBODYS = `scrypt$${COST.log2N}$${COST.r}$${COST.p}$${randomBytes(16).toString("base64url")}$${randomBytes(HASH_BYTES).toString("base64url")}`;

/** A password nobody guesses, that can be read aloud: about 98 bits. */
export function mintPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/** What is wrong with a password somebody chose; undefined: nothing. */
export function weaknessOf(password: string, user: string): "short" | "long" | "user" | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD) return "short";
  if (length > MAX_PASSWORD) return "long";
  return password.toLowerCase().includes(user) && length < user.length + MIN_PASSWORD ? "user" : undefined;
}

async function derived(password: string, salt: Buffer, cost: { log2N: number; r: number; p: number }): Promise<Buffer> {
  if (waiting >= MAX_WAITING) throw new TooManyChecksError();
  waiting++;
  const turn = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const options = { N: 2 ** cost.log2N, r: cost.r, p: cost.p, maxmem: 256 * 2 ** cost.log2N * cost.r };
        // One form of each character, whatever keyboard it came from.
        scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
  last = turn.catch(() => undefined).finally(() => waiting--);
  return turn;
}

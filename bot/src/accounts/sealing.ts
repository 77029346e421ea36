import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const CIPHER = "aes-256-gcm";
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A new secret to seal with, as text. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** Whether a text is a secret to seal with: 32 bytes in base64, in the letters of either kind. */
export const isSecret = (text: string): boolean => /^[\w+/-]{43}=?$/.test(text);

/**
 * Seals with AES-256-GCM. `place`: what a sealed text belongs to; moved to another place it does not open.
 * @param secrets see {@link isSecret}; the first one seals, every one opens what it sealed, so that secrets can be replaced
 */
export function createSealer(secrets: readonly string[]) {
  const keys = secrets.map((secret) => {
    const key = Buffer.from(secret, "base64");
    // Tells which one sealed, and nothing of it.
    const mark = createHmac("sha256", key).update("threadlore-bot mark").digest();
    return {
      key,
      mark,
      name: createHash("sha256").update("threadlore-bot seal ").update(key).digest("hex").slice(0, 8),
    };
  });
  const [first] = keys;
  if (first === undefined) throw new Error("A sealer needs a secret.");
  const markBy = (key: Buffer, words: readonly string[]): Buffer =>
    createHmac("sha256", key).update(bytesOf(words)).digest();
  return {
    /** What only whoever has a secret can write below these words; of the words it tells nothing. */
    mark: (words: readonly string[]): string => markBy(first.mark, words).toString("base64url"),
    /** Whether one of the secrets made this mark for these very words. */
    isMark(mark: string, words: readonly string[]): boolean {
      const given = Buffer.from(mark, "base64url");
      return keys.some((one) => {
        const wanted = markBy(one.mark, words);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
    },
    seal(text: string, place: readonly string[]): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, nonce).setAAD(bytesOf(place));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return ["1", first.name, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },
    /** Undefined: it was sealed with a secret that is not known here, for another place, or is damaged. */
    open(sealed: string, place: readonly string[]): { readonly text: string; readonly isFirst: boolean } | undefined {
      const [version, name, nonce = "", body = ""] = sealed.split(".");
      const by = keys.find((one) => one.name === name);
      const bytes = Buffer.from(body, "base64url");
      if (version !== "1" || by === undefined || bytes.length < TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv(CIPHER, by.key, Buffer.from(nonce, "base64url"), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(bytesOf(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
        return { text: text.toString("utf8"), isFirst: by === first };
      } catch {
        return undefined;
      }
    },
  };
}

const bytesOf = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place), "utf8");

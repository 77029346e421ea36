import { DEFAULT_PROFILE, DEPLOYED_PROFILE, isLoopback, type Profile } from "@threadlore/client";
import * as z from "zod";
import type { BudgetLimit } from "../rules/budgets.ts";

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: () => `must be one of: ${words.join(", ")}` });
}

/** A whole number, both ends included. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30/h`, `5/10min`, or `off` (null). */
export const LimitText = z.string().transform((text, context): BudgetLimit | null => {
  if (text === "off") return null;
  const [, most, count, unit = ""] = /^(\d{1,6})\/(\d{1,4})?(s|min|h|d)$/.exec(text.trim()) ?? [];
  const windowMs = Number(count ?? 1) * (UNITS_MS[unit] ?? 0);
  if (most === undefined || windowMs === 0 || Number(most) === 0) {
    context.addIssue({ code: "custom", message: "must say how many in how long, such as 30/h or 5/10min, or `off`" });
    return z.NEVER;
  }
  return { most: Number(most), windowMs };
});

/** The number of a connector/credential pair; null: said aloud to be none. */
export const PairText = z.string().transform((text, context): number | null => {
  if (text === "none") return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  context.addIssue({ code: "custom", message: "must be the number of a connector/credential pair, or `none`" });
  return z.NEVER;
});

/** A port; undefined: off. */
export const PortText = z.string().transform((text, context): number | undefined => {
  if (text === "off") return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  context.addIssue({ code: "custom", message: "must be a port (0 to 65535), or `off`" });
  return z.NEVER;
});

/** A token that is sent anywhere else than to Slack is lost, so another address is for this machine only. */
export const LoopbackUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    return url !== null && (url.protocol === "http:" || url.protocol === "https:") && isLoopback(url.hostname);
  },
  { error: "must be an address on this machine, such as http://127.0.0.1:8412/api/; leave it out for Slack itself" },
);

const ProfileFields = z.strictObject({
  ingestionPath: z.string().startsWith("/").optional(),
  botOrigin: z.string().min(1).optional(),
  extensionOrigin: z.string().min(1).optional(),
});

/** What differs by server: a name for it, or its fields as JSON. */
export const ProfileText = z.string().transform((text, context): Profile => {
  if (text === "default") return DEFAULT_PROFILE;
  if (text === "deployed") return DEPLOYED_PROFILE;
  const parsed = ProfileFields.safeParse(jsonOf(text));
  if (parsed.success) return { ...DEFAULT_PROFILE, ...parsed.data };
  const message =
    "must be `default`, `deployed`, or JSON with ingestionPath (begins with /), botOrigin, extensionOrigin";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

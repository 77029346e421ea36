import { createHmac } from "node:crypto";
import { type Answer, base64, CLIENT_ID, CLIENT_SECRET, es256, hs256, ISSUER } from "./hostile-provider.harness.ts";

type Random = () => number;
/** What is wrong with an answer, how it is forged, and what has to be said of it in the log. */
export type Forgery = readonly [what: string, forge: (answer: Answer, random: Random) => void, reason: RegExp];

const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const seconds = (): number => Math.floor(Date.now() / 1000);
const claim =
  (name: string, values: readonly unknown[]): Forgery[1] =>
  (answer, random) =>
    (answer.claims[name] = oneOf(random, values));
const told =
  (name: string, values: readonly unknown[]): Forgery[1] =>
  (answer, random) => {
    const value = oneOf(random, values);
    // By the token or by the endpoint it comes to the same.
    if (random() < 0.5) answer.claims[name] = value;
    else answer.userInfo = { ...answer.userInfo, [name]: value };
  };
const withKey = (header: Record<string, unknown>, sign: (answer: Answer) => Answer["sign"]): Forgery[1] => {
  return (answer) => {
    Object.assign(answer.header, header);
    answer.sign = sign(answer);
  };
};
/** A member once more, before the one that counts or behind it, its name written in one of two ways. */
function doubled(value: Record<string, unknown>, name: string, other: unknown, random: Random): string {
  const first = `\\u00${name.charCodeAt(0).toString(16)}`;
  const written = random() < 0.5 ? name : `${first}${name.slice(1)}`;
  const member = `"${written}":${JSON.stringify(other)}`;
  const text = JSON.stringify(value);
  return random() < 0.5 ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`;
}

const STRANGERS = [
  "https://login.example.org/realms/staff",
  `${ISSUER}/`,
  ISSUER.toUpperCase(),
  ISSUER.replace("https", "http"),
  `${ISSUER}.example.org`,
  "https://login.example.com/realms/guests",
  "",
  ` ${ISSUER}`,
];
const NOT_TEXTS = [["anna"], { $eq: "anna" }, 7, true, [], [["anna"]]];
const NOT_TOKENS = /Invalid JWT|JWE|parse|top level|alg|verification|string|ID token|empty/;

export const FORGERIES: readonly Forgery[] = [
  ["another issuer", claim("iss", STRANGERS), /"iss"/],
  ["no issuer, or several", claim("iss", [undefined, null, [ISSUER], { iss: ISSUER }, 1]), /"iss"/],
  [
    "another audience",
    claim("aud", ["other", "Threadlore", `${CLIENT_ID} `, "", "thread", `${CLIENT_ID},other`]),
    /"aud"/,
  ],
  ["audiences without this one", claim("aud", [["other"], [], [[CLIENT_ID]], [{ a: 1 }, "b"]]), /"aud"/],
  ["an audience that is none", claim("aud", [undefined, null, 5, true, { threadlore: 1 }]), /"aud"/],
  [
    "audiences beside this one",
    claim("aud", [
      [CLIENT_ID, "other"],
      ["other", CLIENT_ID],
    ]),
    /"aud".*additional/,
  ],
  [
    "made for another of several",
    (answer, random) => {
      answer.claims["aud"] = oneOf(random, [CLIENT_ID, [CLIENT_ID], [CLIENT_ID, "other"], ["other", CLIENT_ID]]);
      answer.claims["azp"] = oneOf(random, ["other", "", [CLIENT_ID], 1]);
    },
    /azp/,
  ],
  ["no nonce, or another", claim("nonce", [undefined, null, "", "another", 0, {}]), /nonce/],
  ["a nonce among others", (answer) => (answer.claims["nonce"] = [answer.nonce]), /nonce/],
  [
    "a token of another sign-in",
    (answer, random) => Object.assign(answer.claims, { nonce: `${random()}`, iat: seconds() - 200 }),
    /nonce/,
  ],
  ["expired", (answer, random) => (answer.claims["exp"] = seconds() - 61 - Math.floor(random() * 1e6)), /exp/],
  ["an end that is none", claim("exp", [undefined, null, "9999999999", [9_999_999_999], {}, true]), /exp|parse/],
  ["not yet valid", (answer, random) => (answer.claims["nbf"] = seconds() + 62 + Math.floor(random() * 1e6)), /nbf/],
  ["a beginning that is none", claim("nbf", ["0", [0], {}, true]), /nbf/],
  ["of the future", (answer, random) => (answer.claims["iat"] = seconds() + 62 + Math.floor(random() * 1e6)), /iat/],
  ["issued at no time", claim("iat", [undefined, null, "0", [0], {}]), /iat/],
  ["no subject", claim("sub", [undefined, null, "", ...NOT_TEXTS]), /sub/],
  [
    "a subject without end",
    (answer, random) => answerFor(answer, "x".repeat(256 + Math.floor(random() * 5000))),
    /sub/,
  ],
  [
    "somebody else at the userinfo endpoint",
    (answer, random) =>
      (answer.userInfo = {
        ...answer.userInfo,
        sub: oneOf(random, ["other", "", undefined, ["248289761001"], 248_289_761_001]),
      }),
    /sub/,
  ],
  [
    "no signature, said so",
    (answer, random) => {
      answer.header["alg"] = oneOf(random, ["none", "None", "NONE", "nOnE", "", null, ["ES256"]]);
      answer.sign = oneOf(random, [() => "", es256(answer.keys.own.privateKey)]);
    },
    /alg|unsupported|top level/i,
  ],
  ["signed with the client's secret", withKey({ alg: "HS256" }, () => hs256(CLIENT_SECRET)), /unsupported|alg/],
  [
    "signed with the public key as a secret",
    (answer, random) => {
      const { publicKey, jwk } = answer.keys.own;
      answer.header["alg"] = "HS256";
      answer.sign = hs256(
        oneOf<string | Buffer>(random, [
          publicKey.export({ format: "pem", type: "spki" }),
          publicKey.export({ format: "der", type: "spki" }),
          JSON.stringify(jwk),
          String(jwk.x),
        ]),
      );
    },
    /unsupported|alg/,
  ],
  ["signed with nothing as a secret", withKey({ alg: "HS256" }, () => hs256("")), /unsupported|alg/],
  ["a stranger's key of the same name", withKey({}, ({ keys }) => es256(keys.stranger.privateKey)), /verification/],
  [
    "a stranger's key brought along",
    (answer, random) => {
      answer.sign = es256(answer.keys.stranger.privateKey);
      Object.assign(
        answer.header,
        oneOf<object>(random, [
          { jwk: answer.keys.stranger.jwk },
          { jku: "https://login.example.org/keys" },
          { x5u: "https://login.example.org/keys" },
          { x5c: ["AAAA"] },
        ]),
      );
    },
    /verification/,
  ],
  [
    "a key nobody knows",
    (answer, random) =>
      (answer.header["kid"] = oneOf(random, ["key-2", "", "../../dev/null", 1, ["key-1"], "' OR 1=1"])),
    /no applicable keys/,
  ],
  [
    "another way of signing",
    (answer, random) =>
      (answer.header["alg"] = oneOf(random, ["RS256", "ES384", "PS256", "EdDSA", "ES256K", "HS512", "es256"])),
    /alg|no applicable keys|unsupported/,
  ],
  [
    "a signature that is none",
    (answer, random) =>
      (answer.sign = oneOf(random, [
        () => "",
        () => Buffer.alloc(64).toString("base64url"),
        () => Buffer.alloc(64, 255).toString("base64url"),
        (signed: string) => createHmac("sha256", "x").update(signed).digest("base64url"),
        () => "not base64!",
      ])),
    /verification|base64|unexpected/i,
  ],
  [
    "a bit of the signature",
    (answer, random) => {
      const sign = answer.sign;
      answer.sign = (signed) => {
        const bytes = Buffer.from(sign(signed), "base64url");
        const at = Math.floor(random() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        return bytes.toString("base64url");
      };
    },
    /verification/,
  ],
  [
    "signed for somebody else",
    (answer) => {
      answer.token = (made) => {
        const [header, , signature] = made.split(".");
        return `${header}.${base64(JSON.stringify({ ...answer.claims, sub: "admin" }))}.${signature}`;
      };
    },
    /verification/,
  ],
  ["what has to be understood", (answer) => Object.assign(answer.header, { crit: ["exp"], exp: 1 }), /crit/],
  [
    "a token of another kind",
    (answer, random) => (answer.header["typ"] = oneOf(random, ["at+jwt", "logout+jwt", "application/at+JWT", ["JWT"]])),
    /typ/,
  ],
  [
    "parts too many or too few",
    (answer, random) =>
      (answer.token = (made) =>
        oneOf(random, [
          `${made}.`,
          `${made}.a.b`,
          made.slice(0, made.lastIndexOf(".")),
          made.split(".")[1],
          "...",
          "x",
        ])),
    NOT_TOKENS,
  ],
  [
    "no token, or several",
    (answer, random) =>
      (answer.token = (made) => oneOf<unknown>(random, [undefined, null, "", [made], { 0: made }, 7])),
    NOT_TOKENS,
  ],
  [
    "claims that are none",
    (answer, random) => (answer.payload = oneOf(random, ["[]", '"anna"', "null", "7", "{", "", "<html>"])),
    /top level|parse/,
  ],
  [
    "a claim twice",
    (answer, random) => {
      const name = oneOf(random, ["sub", "iss", "aud", "nonce", "exp"]);
      answer.payload = doubled(answer.claims, name, name === "exp" ? seconds() + 200 : answer.claims[name], random);
    },
    /twice/,
  ],
  [
    "a head's word twice",
    (answer, random) => (answer.headerText = doubled(answer.header, "kid", "key-1", random)),
    /twice/,
  ],
  [
    "a token too long",
    (answer, random) => (answer.claims["filler"] = "x".repeat(1_040_000 + Math.floor(random() * 1000))),
    /more than/,
  ],
  [
    "an answer with two tokens",
    (answer, random) => (answer.reply = (body) => json(doubled(body, "id_token", "a.b.c", random))),
    /twice/,
  ],
  [
    "an answer that is none",
    (answer, random) =>
      (answer.reply = (body) =>
        oneOf(random, [
          json("[]"),
          json("null"),
          json("{"),
          new Response("<html>", { headers: { "content-type": "text/html" } }),
          new Response(null, { status: 204 }),
          Response.json({ ...body, access_token: undefined }),
          Response.json({ ...body, access_token: ["a"] }),
          Response.json({ ...body, token_type: "mac" }),
          Response.json({ ...body, token_type: undefined }),
          Response.json(body, { status: 201 }),
        ])),
    /./,
  ],
  [
    "a redirect in place of tokens",
    (answer, random) =>
      (answer.reply = () =>
        new Response(null, {
          status: oneOf(random, [301, 302, 303, 307, 308]),
          headers: { location: "https://login.example.org/token" },
        })),
    /redirect/,
  ],
  ["an address that is no text", told("email", NOT_TEXTS), /email/],
  ["verified, or what", told("email_verified", ["yes", 1, 0, [true], {}, "TRUE"]), /email_verified/],
  ["a name that is no text", told("name", NOT_TEXTS), /name/],
  [
    "groups that are no names",
    told("groups", [{ admin: true }, [["admin"]], [7], [null], 7, true, ["a", {}]]),
    /groups/,
  ],
  ["groups told elsewhere", told("_claim_names", [{ groups: "src1" }]), /too many groups/],
  [
    "another state",
    (answer, random) => answer.callback.set("state", oneOf(random, ["", "other", "0", "null"])),
    /state/,
  ],
  ["no state", (answer) => answer.callback.delete("state"), /state/],
  ["two states", (answer) => answer.callback.append("state", "other"), /state/],
  ["two codes", (answer) => answer.callback.append("code", "other"), /code/],
  [
    "no code",
    (answer, random) => (random() < 0.5 ? answer.callback.delete("code") : answer.callback.set("code", "")),
    /code/,
  ],
  ["a code nobody gave", (answer, random) => answer.callback.set("code", `${random()}`), /invalid_grant/],
  ["an answer of another provider", (answer, random) => answer.callback.set("iss", oneOf(random, STRANGERS)), /iss/],
  ["an answer of nobody", (answer) => answer.callback.delete("iss"), /iss/],
  ["an answer of two", (answer) => answer.callback.append("iss", "https://login.example.org"), /iss/],
  ["a token by the browser", (answer) => answer.callback.set("id_token", "a.b.c"), /implicit/],
  ["an answer in a token", (answer) => answer.callback.set("response", "a.b.c"), /JARM/],
  [
    "a refusal",
    (answer, random) =>
      answer.callback.set("error", oneOf(random, ["access_denied", "server_error", "<b>canary</b>", "x"])),
    /came back with (access_denied|server_error|a word|x)/,
  ],
];

function answerFor(answer: Answer, sub: string): void {
  answer.claims["sub"] = sub;
  answer.userInfo = { ...answer.userInfo, sub };
}

function json(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

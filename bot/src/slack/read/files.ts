import { UnsupportedError } from "@threadlore/client";
import type { Deployment } from "@threadlore/client/deployment";
import { visibleLine } from "@threadlore/ask";
import type { Clients } from "../transport/clients.ts";
import { parted, shortened } from "../render/escape.ts";
import { type AttachedFile, attachedFile } from "@threadlore/documents/slack";

/** How attachments get from the platform to the server. The bot's token goes to the platform's own hosts alone. */
interface AttachmentOptions {
  readonly bot: {
    readonly clients: Pick<Clients, "reads">;
    readonly fetch: typeof fetch;
    readonly config: { readonly slack: { readonly botToken: string; readonly apiUrl?: string } };
    /** For why a file was not read, which people are told in general only. */
    readonly log: Record<"info" | "warn", (event: string, facts: { text?: string; error?: unknown }) => void>;
  };
  readonly deployment: Deployment;
  readonly signal: AbortSignal;
}

/** What servers accept at most (25 MB), with room for the form around it. */
const MAX_BYTES = 24_000_000;
const MAX_FILES = 10;
/** All of a question's files together: they are in memory until the server has them, beside those of other questions. */
const MAX_BYTES_AT_ONCE = 48_000_000;
const DOWNLOAD_MS = 60_000;
const MAX_INLINED = 20_000;

const TEXTS: ReadonlySet<string> = new Set(
  "txt md markdown csv tsv json jsonl yaml yml xml html htm log sql py js ts tsx jsx java go rs c h cpp cs rb php sh toml ini conf css eml ipynb".split(
    " ",
  ),
);
/** Images and documents. */
const OTHERS: ReadonlySet<string> = new Set("png jpg jpeg webp gif pdf docx pptx xlsx odt ods odp epub rtf".split(" "));

/**
 * Downloads what can be read and uploads it to the server. Never throws for what did not work: that is in `notRead`, in
 * plain words, one sentence each, for the person who attached it. `inlined`: text of small files, for servers that take
 * no uploads.
 */
export async function takeAttachments(files: readonly AttachedFile[], options: AttachmentOptions) {
  const notRead: string[] = [];
  const leaveOut = (name: string, why: string): unknown => notRead.push(`*${plain(name)}*: ${why}`);
  let bytes = 0;
  const taken: { name: string; content: Blob; text: boolean }[] = [];
  for (const [index, file] of files.entries()) {
    const outcome =
      index >= MAX_FILES
        ? `I read at most ${MAX_FILES} files at once.`
        : bytes + file.size > MAX_BYTES_AT_ONCE
          ? "together the files are larger than 48 MB."
          : await download(file, options);
    if (typeof outcome === "string") leaveOut(file.name, outcome);
    else {
      taken.push({ name: file.name, content: outcome, text: TEXTS.has(extension(file)) });
      bytes += outcome.size;
    }
  }
  if (taken.length === 0) return { descriptors: [], inlined: "", notRead };
  try {
    const { files: uploaded, rejected } = await options.deployment.upload(taken, { signal: options.signal });
    for (const { name, reason } of rejected) {
      options.bot.log.info("file refused", { text: reason });
      leaveOut(name, "the knowledge server does not take such a file.");
    }
    return { descriptors: uploaded.map(({ descriptor }) => descriptor), inlined: "", notRead };
  } catch (error) {
    options.signal.throwIfAborted();
    const isUnsupported = error instanceof UnsupportedError;
    if (!isUnsupported) options.bot.log.warn("files not taken", { error });
    // Without uploads there, a text can still go along with the question.
    const why = isUnsupported ? "the server takes no files." : "the knowledge server did not take it.";
    const inlined: string[] = [];
    for (const { name, content, text } of taken) {
      if (!isUnsupported || !text || content.size > MAX_INLINED) leaveOut(name, why);
      else inlined.push(`Attached file ${JSON.stringify(name)}:\n${await content.text()}`);
    }
    return { descriptors: [], inlined: inlined.join("\n\n"), notRead };
  }
}

/** The bytes, or why not. */
async function download(file: AttachedFile, options: AttachmentOptions): Promise<Blob | string> {
  const kind = extension(file);
  if (!TEXTS.has(kind) && !OTHERS.has(kind)) {
    return `files of this kind (${plain(kind || file.mimetype || "unknown")}) I cannot read.`;
  }
  try {
    const isTold = file.url !== undefined && file.access !== "check_file_info";
    const reply = isTold ? undefined : await options.bot.clients.reads.files.info({ file: file.id });
    const known = reply?.file === undefined ? file : attachedFile(reply.file);
    if (known.size > MAX_BYTES) return "it is larger than 24 MB.";
    if (known.url === undefined || !isOurs(known.url, options.bot.config.slack.apiUrl))
      return "the chat platform does not let me read it.";
    return await bytesOf(known.url, known, options);
  } catch (error) {
    options.signal.throwIfAborted();
    options.bot.log.warn("file not downloaded", { error });
    return "it could not be downloaded.";
  }
}

async function bytesOf(url: string, file: AttachedFile, options: AttachmentOptions): Promise<Blob | string> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  const response = await options.bot.fetch(url, {
    headers: { authorization: `Bearer ${options.bot.config.slack.botToken}` },
    redirect: "error",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    return `the chat platform answered ${response.status} for it.`;
  }
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  // Without the right to read files the platform answers 200 with its login page; an attached page has another size.
  const isPage = /^html?$/.test(extension(file));
  if (type === "text/html" && !isPage) {
    await response.body?.cancel();
    return NOT_ALLOWED;
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) return "it is larger than 24 MB.";
    parts.push(new Uint8Array(part));
  }
  if (isPage && size !== file.size) return NOT_ALLOWED;
  return new Blob(parts, { type: file.mimetype || type });
}

const NOT_ALLOWED = "the chat platform does not let me read it: whoever runs me has to allow me files.";

/** The token goes to the platform's own hosts only. */
function isOurs(url: string, apiUrl: string | undefined): boolean {
  const { protocol, hostname, origin } = URL.parse(url) ?? {};
  if (apiUrl !== undefined && origin !== undefined && origin === URL.parse(apiUrl)?.origin) return true;
  return protocol === "https:" && hostname !== undefined && /(?:^|\.)slack\.com$/.test(hostname);
}

function extension({ name, mimetype }: AttachedFile): string {
  const written = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  if (written !== undefined) return written;
  const [kind = "", sub = ""] = mimetype.split("/");
  return kind === "text" ? (sub === "plain" ? "txt" : sub) : sub;
}

/** Text that is neither markup nor an address: what people named their files, what servers say. */
function plain(text: string): string {
  const line = visibleLine(text.slice(0, 1_000))
    .replace(/[&<>*_~`|]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return parted(shortened(line, 120));
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, deflateSync } from "node:zlib";
import { pdfOfObjects } from "@threadlore/testkit/files";
import type { Settings } from "../context.ts";
import { OWNER_KEY } from "../service.harness.ts";

/** What became of one file. */
export interface Kept {
  readonly status: string;
  readonly reason: string | null;
}

/** A service in a process of its own, whose memory and health are watched from when it listens. */
export interface WatchedService {
  readonly url: string;
  /** Most bytes it and its readers had in memory at one moment, so far. */
  resident(): number;
  /** Replies of /health so far, by status. */
  health(): Readonly<Record<number, number>>;
  /** Processes it has started. */
  readers(): number[];
  /** Sends one file to the path that keeps what can be kept. */
  send(name: string, bytes: Uint8Array<ArrayBuffer>, more?: { key?: string; signal?: AbortSignal }): Promise<Response>;
  /** Sends one file and answers what became of it. */
  upload(name: string, bytes: Uint8Array<ArrayBuffer>, key?: string): Promise<Kept>;
  call(path: string, body: unknown): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts it. */
export async function watchedService(settings: Partial<Settings> = {}): Promise<WatchedService> {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-uploads-"));
  const program = fileURLToPath(new URL("./uploads-child.harness.ts", import.meta.url));
  const child = spawn(process.execPath, [program, join(folder, "uploads.db"), JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = await once(child.stdout, "data");
  const url = String(line).trim();
  const { pid = 0 } = child;
  const authorization = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
  let most = 0;
  const health: Record<number, number> = {};
  const stopped = new AbortController();
  const look = setInterval(() => {
    most = Math.max(most, residentOf([pid, ...childrenOf(pid)]));
  }, 5);
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const status = await fetch(`${url}/health`).then(
        (reply) => reply.status,
        () => 0,
      );
      health[status] = (health[status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const send: WatchedService["send"] = (name, bytes, { key = OWNER_KEY, signal } = {}) => {
    const body = new FormData();
    body.append("files", new File([bytes], name));
    const request: RequestInit = { method: "POST", headers: authorization(key), body };
    return fetch(`${url}/user/projects/file/upload`, { ...request, ...(signal !== undefined && { signal }) });
  };
  return {
    url,
    resident: () => most,
    health: () => health,
    readers: () => childrenOf(pid),
    send,
    async upload(name, bytes, key) {
      const reply = await send(name, bytes, { key });
      const text = await reply.text();
      const { user_files: [file] = [] } = JSON.parse(text) as { user_files?: Kept[] };
      if (file === undefined) throw new Error(`${reply.status}: ${text}`);
      return file;
    },
    call: (path, body) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { ...authorization(OWNER_KEY), "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async stop() {
      clearInterval(look);
      stopped.abort();
      await asking;
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The processes this one has started. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && /\) [^ZX] (\d+)/.exec(textOf(`/proc/${name}/stat`))?.[1] === String(parent))
    .map(Number);
}

function residentOf(pids: readonly number[]): number {
  const kilobytes = (pid: number) => Number(/^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
  return pids.reduce((sum, pid) => sum + kilobytes(pid), 0) * 1_024;
}

/** "" where the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/**
 * A PDF of some kilobytes whose one page unfolds twice, to so many bytes: a deflated piece that ends at a byte's end is
 * repeated, and the whole deflated again.
 */
export function flatedTwice(bytes: number): Uint8Array<ArrayBuffer> {
  const drawn = Buffer.alloc(4_000_000, "BT (x) Tj ET\n");
  const piece = deflateSync(drawn, { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: Math.ceil(bytes / drawn.length) }, (_, at) =>
    at === 0 ? piece : piece.subarray(2),
  );
  return onePage(deflateSync(Buffer.concat(pieces), { level: 9 }), "/Filter [/FlateDecode /FlateDecode]");
}

/**
 * A PDF whose one page is written in a font that says a hundred thousand times what each of 65,536 signs means, which pdf.js
 * hears for most of a minute. It is sound: nothing else about it says so.
 */
export function endlessFont(): Uint8Array<ArrayBuffer> {
  const ranges = "<0000> <ffff> 0\n".repeat(100_000);
  const start = "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 begincidrange";
  const signs = `/CIDInit /ProcSet findresource begin ${start}\n${ranges}endcidrange endcmap`;
  const words = "BT /F1 12 Tf 72 720 Td <0041> Tj ET";
  const box = "/FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 9 /Descent 0 /CapHeight 9 /StemV 9";
  const descendant = "/CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> /FontDescriptor 8 0 R";
  return pdfOfObjects([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${words.length} >>\nstream\n${words}\nendstream`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding 6 0 R /DescendantFonts [7 0 R] >>",
    `<< /Type /CMap /CMapName /X /Length ${signs.length} >>\nstream\n${signs}\nendstream`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X ${descendant} >>`,
    `<< /Type /FontDescriptor /FontName /X /Flags 4 ${box} >>`,
  ]);
}

function onePage(content: Buffer, filter: string): Uint8Array<ArrayBuffer> {
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 ${font} >> >> /Contents 4 0 R >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    page,
    `<< /Length ${content.length} ${filter} >>\nstream\n${content.toString("latin1")}\nendstream`,
  ];
  return pdfOfObjects(objects);
}

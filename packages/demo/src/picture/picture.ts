import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EMBEDDED_PORT, styled, type Terminal } from "@threadlore/cli";
import { openChat } from "../chat.ts";
import { addHandbook, introduce, openStage, sayWhatNext, sayWhereToTalk, showAnswer } from "../demonstration.ts";
import { readQuestions } from "../handbook.ts";
import { offerExtension } from "../in-the-browser.ts";
import { screenOf } from "./screen.ts";
import { CHAT_PORT, USUAL_FOLDER } from "../start-options.ts";
import { terminalSvg } from "./terminal-svg.ts";

/** Draws `terminal.svg`: what the first `start` really shows, on a terminal of this many columns. */
const COLUMNS = 84;

const PICTURE = fileURLToPath(new URL("../../terminal.svg", import.meta.url));

async function draw(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "picture-"));
  const output: string[] = [];
  const screen = {
    isTerminal: true,
    colours: true,
    columns: COLUMNS,
    rows: 70,
    write: (text: string) => void output.push(text),
  };
  const terminal: Terminal = {
    out: screen,
    err: screen,
    env: process.env,
    folder,
    stdinIsTerminal: false,
    readStdin: async () => "",
    readStdinBytes: async () => new Uint8Array(),
    prompt: async () => "",
    interrupted: new AbortController().signal,
    hide: () => {},
  };
  const { shown } = await readQuestions();
  const options = {
    folder: join(folder, ".threadlore"),
    port: EMBEDDED_PORT,
    model: undefined,
    modelServers: [],
  };
  screen.write(`${styled(screen, "green", "$")} npx -y pnpm@12 start\n\n`);
  const stage = await openStage(terminal, options);
  try {
    introduce(terminal, stage, options);
    await addHandbook(terminal, stage);
    await showAnswer(terminal, stage, shown);
    const chat = await openChat(terminal, { port: CHAT_PORT, service: stage.service });
    sayWhereToTalk(terminal, chat.workspace.url);
    await chat.close();
    await offerExtension(terminal, { service: stage.service, folder: USUAL_FOLDER, open: false });
    sayWhatNext(terminal, "stays", USUAL_FOLDER);
  } finally {
    await stage.serving?.close();
    rmSync(folder, { recursive: true });
  }
  const description = "A terminal: the first start adds a handbook, asks a question and shows the cited answer";
  writeFileSync(PICTURE, terminalSvg(screenOf(output.join("")), COLUMNS, description));
}

await draw();

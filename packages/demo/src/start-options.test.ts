import { describe, expect, it } from "vitest";
import { readOptions, USUAL_FOLDER } from "./start-options.ts";

const read = (args: readonly string[], env: Record<string, string> = {}) => readOptions({ env, folder: "/here" }, args);

describe("readOptions", () => {
  it("has defaults, which the environment changes, which arguments change", () => {
    expect(read([])).toEqual({
      folder: USUAL_FOLDER,
      port: 8411,
      chatPort: 8412,
      extension: true,
      browser: false,
      once: false,
      model: false,
      help: false,
    });
    expect(read(["--no-chat"]).chatPort).toBeUndefined();
    expect(read(["--chat-port", "9100"], { THREADLORE_CHAT_PORT: "9200" }).chatPort).toBe(9100);
    const env = { THREADLORE_PORT: "9000", THREADLORE_DATA: "data", THREADLORE_ONCE: "1" };
    expect(read([], env)).toMatchObject({ port: 9000, folder: "/here/data", once: true });
    expect(read(["--port", "0", "--data", "/other"], env)).toMatchObject({ port: 0, folder: "/other" });
  });

  it("passes over the -- that pnpm adds", () => {
    expect(read(["--", "--once", "--model"])).toMatchObject({ once: true, model: true });
    expect(read(["--model-name", "qwen3"])).toMatchObject({ model: "qwen3" });
  });

  it.each(["abc", "-1", "65536", "80.5", ""])("says what is wrong with the port %j", (port) => {
    expect(() => read([`--port=${port}`])).toThrow("is no port");
  });

  it("says what is wrong with the chat's port", () => {
    expect(() => read(["--chat-port", "x"])).toThrow('"x" is no port. Choose a number up to 65535, such as 8413.');
  });

  it("opens a browser or ends after the answer, not both", () => {
    expect(read(["--browser"])).toMatchObject({ browser: true, extension: true });
    expect(read(["--no-extension"])).toMatchObject({ browser: false, extension: false });
    expect(() => read(["--browser", "--once"])).toThrow("leave --once out");
    expect(() => read(["--browser"], { THREADLORE_ONCE: "1" })).toThrow("leave --once out");
    expect(() => read(["--browser", "--no-extension"])).toThrow("--no-extension");
  });

  it.each([["--bogus"], ["--data"], ["word"]])("says where to look for what there is: %s", (arg) => {
    expect(() => read([arg])).toThrow("start --help");
  });
});

import { afterEach, describe, expect, it } from "vitest";
import {
  startScriptedModel,
  type ModelScript,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "./scripted-model.ts";

let model: ScriptedModel | undefined;

async function started(script: ModelScript, options?: ScriptedModelOptions): Promise<ScriptedModel> {
  model = await startScriptedModel(script, options);
  return model;
}

afterEach(() => model?.close());

const question = { model: "scripted", messages: [{ role: "user", content: "Where is the shed?" }] };

function chat(body: object, headers?: Record<string, string>): Promise<Response> {
  return fetch(`${model?.url}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...question, ...body }),
  });
}

interface Frame {
  choices: {
    delta: { content?: string; tool_calls?: { function: { arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: object;
}

async function framesOf(response: Response): Promise<Frame[]> {
  const text = await response.text();
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  return text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice("data: ".length)));
}

describe("a scripted model", () => {
  it("answers in one piece", async () => {
    const { chats } = await started([{ text: "Behind hall 2." }]);
    const answer = await (await chat({})).json();
    expect(answer).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: "Behind hall 2." }, finish_reason: "stop" }],
    });
    expect(chats[0]).toMatchObject({ ...question, stream: false });
  });

  it("streams word by word, with usage when asked", async () => {
    await started([{ text: "Behind hall 2." }]);
    const frames = await framesOf(await chat({ stream: true, stream_options: { include_usage: true } }));
    const texts = frames.map((frame) => frame.choices[0]?.delta.content ?? "");
    expect(texts.filter((text) => text !== "")).toEqual(["Behind", " hall", " 2."]);
    expect(frames.at(-1)?.usage).toBeDefined();
    expect(frames.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("streams a tool call with its arguments in two parts", async () => {
    await started([{ calls: [{ name: "search", arguments: { query: "shed" } }] }]);
    const frames = await framesOf(await chat({ stream: true }));
    const parts = frames.flatMap((frame) => frame.choices[0]?.delta.tool_calls ?? []);
    expect(parts.map((part) => part.function.arguments).join("")).toBe('{"query":"shed"}');
    expect(frames.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("answers by a function of the conversation", async () => {
    await started((request, attempt) => ({ text: `${attempt}: ${request.messages.length}` }));
    await chat({});
    expect(await (await chat({})).json()).toMatchObject({ choices: [{ message: { content: "1: 1" } }] });
  });

  it("fails with a status and a retry-after", async () => {
    await started([{ status: 429, retryAfter: 3 }]);
    const response = await chat({});
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await response.json()).toMatchObject({ error: { message: "Scripted failure" } });
  });

  it("breaks off after some deltas", async () => {
    await started([{ text: "one two three", cutAfter: 2 }]);
    const response = await chat({ stream: true });
    let seen = "";
    const reading = async () => {
      for await (const bytes of response.body ?? []) seen += Buffer.from(bytes).toString();
    };
    await expect(reading()).rejects.toThrow();
    expect(seen).toContain("two");
    expect(seen).not.toContain("three");
  });

  it.each(["before-head", "after-head", "before-end"] as const)("stalls %s", async (stall) => {
    await started([{ text: "one two", stall }]);
    const signal = AbortSignal.timeout(100);
    const asked = async () => {
      const url = `${model?.url}/chat/completions`;
      const response = await fetch(url, {
        method: "POST",
        signal,
        body: JSON.stringify({ ...question, stream: true }),
      });
      return response.text();
    };
    await expect(asked()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("answers garbage", async () => {
    await started([{ garbage: "<html>" }]);
    expect(await (await chat({ stream: true })).text()).toBe("<html>");
  });

  it("lists its models and demands its key", async () => {
    await started([{}], { models: ["larch-2"], apiKey: "tl_TEST_model" });
    expect((await fetch(`${model?.url}/models`)).status).toBe(401);
    const headers = { authorization: "Bearer tl_TEST_model" };
    expect(await (await fetch(`${model?.url}/models`, { headers })).json()).toMatchObject({
      data: [{ id: "larch-2" }],
    });
  });

  it("embeds like texts near each other, as numbers or base64", async () => {
    await started([]);
    const embed = async (more: object) => {
      const body = JSON.stringify({
        model: "scripted",
        input: ["the bicycle shed", "a bicycle shed", "soup"],
        ...more,
      });
      const { data } = await (await fetch(`${model?.url}/embeddings`, { method: "POST", body })).json();
      return data.map((entry: { embedding: unknown }) => entry.embedding);
    };
    const [shed, alike, soup]: number[][] = await embed({});
    const nearness = (other: number[] = []) =>
      (shed ?? []).reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);
    expect(nearness(alike)).toBeGreaterThan(nearness(soup));
    const [encoded] = await embed({ encoding_format: "base64" });
    const bytes = Buffer.from(String(encoded), "base64");
    expect(new Float32Array(new Uint8Array(bytes).buffer)[0]).toBeCloseTo(shed?.[0] ?? Number.NaN);
  });
});

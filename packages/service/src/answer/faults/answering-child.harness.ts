import { serve } from "../../serve.ts";

// Run by faults.test.ts in a process of its own: answers with a model until it is killed.
const [database, apiKey, baseUrl] = process.argv.slice(2);
if (database === undefined || apiKey === undefined || baseUrl === undefined) {
  throw new Error("usage: answering-child DATABASE KEY MODEL_URL");
}
const { url } = await serve({ database, apiKey, port: 0, model: { baseUrl, name: "scripted" } });
process.stdout.write(`${url}\n`);

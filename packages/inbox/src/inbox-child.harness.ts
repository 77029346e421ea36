import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { Inbox } from "./inbox.ts";
import { openStore } from "./store/open.ts";

// Run by inbox-kill.test.ts in a process of its own: accepts tasks and runs them until it is killed or all are done.
const [url, journal, name, tasks, leaseMs] = process.argv.slice(2);
if (url === undefined || journal === undefined || name === undefined) {
  throw new Error("usage: inbox-child DATABASE JOURNAL NAME TASKS LEASE_MS");
}
const write = (what: string, task: string, partitionKey: string): void =>
  appendFileSync(journal, `${JSON.stringify({ what, task, partitionKey, by: name })}\n`);

const store = await openStore(url);
const inbox = new Inbox({
  store,
  owner: name,
  concurrency: 4,
  leaseMs: Number(leaseMs),
  pollMs: 50,
  // It is killed more often than any task would survive.
  maxAttempts: 1_000,
  async run(task, { save }) {
    write("begun", task.key, task.partitionKey);
    await pause(Math.random() * 8);
    await save({ by: name });
    await pause(Math.random() * 8);
    write("done", task.key, task.partitionKey);
    return "done";
  },
  async giveUp(task) {
    write("given up", task.key, task.partitionKey);
  },
});
inbox.start();
// Node would do so when it ends, which a killed process does not come to.
flushCompileCache();
process.stdout.write("started\n");

for (let n = 0; n < Number(tasks); n++) {
  const task = {
    key: `question:${name}:${n}`,
    kind: "question",
    partitionKey: `${name} ${n % 5}`,
    body: { n },
  } as const;
  await inbox.accept(task);
  write("accepted", task.key, task.partitionKey);
  await inbox.accept(task);
}
for (;;) {
  const { waiting, running } = await store.backlog();
  if (waiting + running === 0) break;
  await pause(20);
}
await inbox.drain(0);
await store.close();

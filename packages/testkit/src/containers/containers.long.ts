import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { temporaryFolder } from "../tidying.ts";
import { containerPrograms, runtimeApart } from "./container-programs.ts";
import { type PageSection, runnableSections, timedScript, timesOf } from "./page.ts";

const programs = await containerPrograms();

/** Asks and adds, one after the other, while instances are killed and made anew; prints a line for each, and what is there after. */
const UNDER_WAY: PageSection = {
  heading: "One is killed, and all are made anew, while people ask and add",
  commands: `
ask() { curl --config secrets/curl --max-time 30 --output /dev/null --write-out "asked %{http_code}\\n" \
  --json '{"message": "How many weeks of leave do parents get?", "stream": false}' \
  https://$THREADLORE_HOST:8443/chat/send-chat-message 2> /dev/null || true; }
put() { curl --config secrets/curl --max-time 30 --output /dev/null --write-out "added %{http_code}\\n" \
  --json "{\\"document\\": {\\"id\\": \\"number-$1\\", \\"semantic_identifier\\": \\"Number $1\\", \\"sections\\": [{\\"text\\": \\"Number $1.\\"}]}}" \
  https://$THREADLORE_HOST:8443/service-api/ingestion 2> /dev/null || true; }
(for n in $(seq 1 400); do if [ -e secrets/enough ]; then break; fi; ask; put $n; done) > secrets/told &
asking=$!
sleep 2
podman kill --signal KILL threadlore_service-1_1
sleep 3
podman start threadlore_service-1_1
until docker-compose exec -T service-1 node deploy/health.mjs 8411; do sleep 1; done
sleep 3
`,
};

const ENOUGH: PageSection = {
  heading: "Until everybody has an answer",
  commands: `
touch secrets/enough
wait $asking
sort secrets/told | uniq -c | sed 's/^ */told /'
`,
};

const AFTERWARDS: PageSection = {
  heading: "What is there after the restore",
  commands: `
curl --config secrets/curl --retry 60 --retry-delay 1 --retry-all-errors https://$THREADLORE_HOST:8443/health 2> /dev/null
echo
echo "there $(curl --config secrets/curl https://$THREADLORE_HOST:8443/service-api/ingestion | grep -o '"number-[0-9]*"' | sort -u | wc -l)"
for name in service-1 service-2 proxy database; do
  echo "$name $(docker-compose exec -T $name sh -c 'id -u; touch /x 2>&1 | grep -c Read-only; grep -E "^(CapEff|NoNewPrivs)" /proc/1/status' | tr -s '\\n\\t' '  ')"
done
# Whom each reaches, by the addresses they have: where a port answers within two seconds.
address() { podman inspect --format "{{(index .NetworkSettings.Networks \\"$2\\").IPAddress}}" "threadlore_$1_1"; }
reaches() { node=$1; shift; for at in "$@"; do
  "\${reach[@]}" "$node" node -e 'const [host, port] = process.argv[1].split(":"); const socket = require("node:net").connect({ host, port, timeout: 2000 });
    const end = (word) => { console.log("reach", process.argv[2], process.argv[1], word); process.exit(); };
    socket.on("connect", () => end("yes")).on("timeout", () => end("no")).on("error", () => end("no"));' "$at" "$node"; done; }
db=$(address database threadlore_data); one=$(address service-1 threadlore-inside); front=$(address proxy threadlore_outside)
reach=(docker-compose exec -T); reaches service-1 "$db:5432" "$front:8443" "1.1.1.1:443"
reach=(podman run --rm --network threadlore_outside --entrypoint ""); reaches threadlore-bot "$db:5432" "$one:8411" "$THREADLORE_HOST:8443"
echo "proxy to database $(docker-compose exec -T proxy timeout 2 bash -c "echo > /dev/tcp/$db/5432" 2> /dev/null && echo yes || echo no)"
echo "proxy to service $(docker-compose exec -T proxy timeout 2 bash -c "echo > /dev/tcp/$one/8411" 2> /dev/null && echo yes || echo no)"
echo "carried $(docker-compose exec -T service-1 sh -c 'find / -xdev -name "planted*" 2> /dev/null; ls -d .git extension docs 2> /dev/null' | wc -l)"
echo "bot $(podman run --rm --network none threadlore-bot 2>&1 | grep -c 'SLACK_BOT_TOKEN is not set')"
`,
};

/** In a network of its own, which ends with the script: what is started is told over the socket that compose asks. */
const APART = `
set -euo pipefail
ip link set lo up
podman system service --time 0 "$DOCKER_HOST" > service.log 2>&1 3>&- &
service=$!
trap 'podman rm --all --force --time 1 > /dev/null 2>&1; kill $service' EXIT
for _ in $(seq 1 50); do [ -S "\${DOCKER_HOST#unix://}" ] && break; sleep 0.2; done
`;

describe("the deployment in containers", () => {
  it.skipIf(typeof programs !== "string")(
    "goes from an empty machine to the first answer by the commands of one page, loses nothing when one is killed, and leaves nothing",
    async () => {
      const folder = temporaryFolder();
      const env = {
        ...(await runtimeApart(folder)),
        THREADLORE_BASE: "localhost/threadlore-node",
        THREADLORE_POSTGRES_IMAGE: "localhost/threadlore-postgres",
        THREADLORE_PROXY_IMAGE: "localhost/threadlore-nginx",
      };
      const clone = join(folder, "clone");
      const told: string[] = [];
      const bash = (script: string, cwd: string, ...before: string[]) => {
        const [program = "bash", ...words] = [...before, "bash", "-c", script];
        const done = spawnSync(program, words, {
          cwd,
          env,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe", "pipe"],
          maxBuffer: 1e8,
        });
        told.push(done.output[3] ?? "");
        expect({ status: done.status, said: done.status === 0 ? "" : done.stdout + done.stderr }).toEqual({
          status: 0,
          said: "",
        });
        return done.stdout;
      };
      bash(`git clone --quiet "${repositoryRoot}" "${clone}"`, folder);
      // What lies about in a clone, and is nobody's business but its owner's.
      for (const name of ["planted.db", "planted.key", ".env"]) writeFileSync(join(clone, name), "planted");
      bash(
        "mkdir -p secrets bot/secrets node_modules; touch secrets/planted bot/secrets/planted node_modules/planted",
        clone,
      );
      const page = runnableSections(readFileSync(join(repositoryRoot, "docs/containers.md"), "utf8"));
      const at = (start: string): PageSection[] => page.filter(({ heading }) => heading.startsWith(start));
      bash("bash deploy/debian/images.sh", clone);
      bash(timedScript(at("2.")), clone);
      const run = [
        ...at("3."),
        ...at("4."),
        ...at("5."),
        UNDER_WAY,
        ...at("6."),
        ENOUGH,
        ...at("7."),
        AFTERWARDS,
        ...at("9."),
      ];
      const printed = bash(APART + timedScript(run), clone, "unshare", "--net");

      expect(printed).toContain("sixteen weeks");
      const counted = [...printed.matchAll(/^told (\d+) (\w+) (\d+)$/gm)].map(([, n, what, status]) => ({
        n: Number(n),
        what,
        status,
      }));
      const of = (what: string, isRight: boolean): number =>
        counted
          .filter((one) => one.what === what && (one.status === "200") === isRight)
          .reduce((sum, { n }) => sum + n, 0);
      const lines = [...timesOf(told.join("\n"))].map(
        ([heading, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${heading}\n`,
      );
      process.stdout.write(
        `docs/containers.md:\n${lines.join("")}${counted.map(({ n, what, status }) => `${n} ${what} ${status}`).join(", ")}\n`,
      );
      expect(of("asked", true)).toBeGreaterThan(20);
      // What the killed one was answering, and what one that stops had been given: 503, which clients repeat.
      expect(of("asked", false) + of("added", false)).toBeLessThanOrEqual(2);
      expect(Number(/^there (\d+)$/m.exec(printed)?.[1])).toBeGreaterThanOrEqual(of("added", true));
      for (const name of ["service-1", "service-2", "proxy"]) {
        expect(printed).toContain(`${name} 1000 1 CapEff: 0000000000000000 NoNewPrivs: 1`);
      }
      expect(printed).toContain("database 999 1 CapEff: 0000000000000000 NoNewPrivs: 1");
      const reached = [...printed.matchAll(/^reach (\S+) \S+:(\d+) (yes|no)$/gm)].map(
        ([, from, port, word]) => `${from} ${port} ${word}`,
      );
      expect(reached).toEqual([
        "service-1 5432 yes",
        "service-1 8443 no",
        "service-1 443 no",
        "threadlore-bot 5432 no",
        "threadlore-bot 8411 no",
        "threadlore-bot 8443 yes",
      ]);
      expect(printed).toContain("proxy to database no\nproxy to service yes\n");
      expect(printed).toMatch(/^carried 0$/m);
      expect(printed).toMatch(/^bot 1$/m);
      // What the runtime itself writes down may come while its folder is being emptied.
      bash("podman system reset --force || { sleep 5; podman system reset --force; }", folder);
    },
    1_800_000,
  );
});

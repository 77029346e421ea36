import type { NetworkOptions } from "@threadlore/service/serve";
import { type Command, Option } from "commander";
import { repeatable, wholeNumber } from "../commands/options.ts";
import { UsageError } from "../exit-codes.ts";

/** What `threadlore serve` takes of how others than this machine reach it, and of what it tells of itself. */
export interface NetworkFlags {
  listen?: string[];
  host?: string[];
  tlsCert?: string;
  tlsKey?: string;
  trustedProxy?: string[];
  plainHttp?: boolean;
  publicUrl?: string;
  stopAfter?: number;
  log: "text" | "json";
  metrics?: boolean;
}

/** Adds them to the command. */
export function addNetworkOptions(command: Command): Command {
  return command
    .option(
      "--listen <address>",
      "listen on this address of the machine too, such as 0.0.0.0 or [::]:8443; with TLS the port is 8443 unless named; repeatable",
      repeatable,
    )
    .option("--host <name>", "answer to this name, such as knowledge.example.com; repeatable", repeatable)
    .option("--tls-cert <file>", "certificate for --listen, PEM, with those between; read anew when it changes")
    .option("--tls-key <file>", "its key, PEM, without a password")
    .option(
      "--trusted-proxy <network>",
      "believe proxies of this network, such as 10.0.0.0/8, who asks; repeatable",
      repeatable,
    )
    .option("--plain-http", "go on without TLS: keys then travel in the clear")
    .option("--public-url <address>", "where people find it; otherwise the first --host, or --listen")
    .option(
      "--stop-after <seconds>",
      "how long running answers may take to end when it stops; 30 with --listen, otherwise 0",
      wholeNumber(0, 86_400),
    )
    .addOption(
      new Option("--log <format>", "what it tells on stderr: text of what goes wrong, or JSON of every request")
        .choices(["text", "json"])
        .default("text"),
    )
    .option("--metrics", "count for Prometheus; GET /metrics tells keys of the role admin");
}

/** The network a service is to be reached by, as the options say. Throws UsageError where half of a pair is missing. */
export function networkOf(flags: NetworkFlags): NetworkOptions {
  const { tlsCert: cert, tlsKey: key } = flags;
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together: the certificate, and the key it was made for.");
  }
  return {
    listen: flags.listen ?? [],
    hosts: flags.host ?? [],
    trustedProxies: flags.trustedProxy ?? [],
    plainHttp: flags.plainHttp === true,
    ...(cert !== undefined && key !== undefined && { tls: { cert, key } }),
    ...(flags.publicUrl !== undefined && { publicUrl: flags.publicUrl }),
    ...(flags.stopAfter !== undefined && { stopMs: flags.stopAfter * 1_000 }),
  };
}

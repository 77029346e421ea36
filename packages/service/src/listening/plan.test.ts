import { describe, expect, it } from "vitest";
import { ListeningError, type NetworkOptions, planListening } from "./plan.ts";

const HOST = { hosts: ["knowledge.example.com"] };
const TLS = { tls: { cert: "cert.pem", key: "key.pem" } };

function refusedBy(options: NetworkOptions, anonymous = false): readonly string[] {
  try {
    planListening(options, 8411, anonymous);
    return [];
  } catch (error) {
    if (error instanceof ListeningError) return error.problems;
    throw error;
  }
}

function doorsOf(options: NetworkOptions, port = 8411): string[] {
  return planListening({ plainHttp: true, ...(options.listen && HOST), ...options }, port, false).doors.map(
    (door) => `${door.host} ${door.port ?? "same"}${door.isSecure ? " tls" : ""}${door.ipv6Only ? "" : " both"}`,
  );
}

describe("T37 beyond loopback", () => {
  it("nobody listens with callers without a key, without names, or with keys in the clear", () => {
    const problems = refusedBy({ listen: ["0.0.0.0"] }, true);
    expect(problems).toHaveLength(3);
    expect(problems.join("\n")).toMatch(
      /--anonymous admits[^]*--host knowledge.example.com[^]*Keys would travel in the clear/,
    );
  });

  it.each<[title: string, options: NetworkOptions, problems: number]>([
    ["TLS and a name", { listen: ["0.0.0.0"], ...HOST, ...TLS }, 0],
    ["an address of its own as its name", { listen: ["192.0.2.7"], ...TLS }, 0],
    ["an address of its own and one for all, without a name", { listen: ["192.0.2.7", "[::]"], ...TLS }, 1],
    [
      "a proxy and a public address",
      { listen: ["0.0.0.0"], trustedProxies: ["10.0.0.0/8"], publicUrl: "https://k.example" },
      0,
    ],
    ["a proxy on this machine, and no name", { trustedProxies: ["127.0.0.1"] }, 1],
    ["plain HTTP by name", { listen: ["0.0.0.0"], ...HOST, plainHttp: true }, 0],
    ["plain HTTP without saying so", { listen: ["0.0.0.0"], ...HOST }, 1],
    ["everybody as a proxy", { listen: ["0.0.0.0"], ...HOST, trustedProxies: ["0.0.0.0/0"] }, 1],
    ["loopback alone", { listen: ["127.0.0.1:9000", "[::1]"] }, 0],
    [
      "nonsense",
      { listen: ["all"], hosts: ["https://a.example"], trustedProxies: ["proxy"], publicUrl: "a.example" },
      4,
    ],
    ["a public address with a path", { listen: ["::1"], publicUrl: "https://k.example/knowledge" }, 1],
    [
      "an address of its own behind a proxy, without a name",
      { listen: ["192.0.2.7"], trustedProxies: ["10.0.0.7"] },
      1,
    ],
    ["a name nobody can call", HOST, 1],
    ["a certificate nobody sees", TLS, 1],
    ["a public address without TLS before TLS", { listen: ["192.0.2.7"], ...TLS, publicUrl: "http://k.example" }, 1],
    ["TLS for all addresses on loopback's port", { listen: ["0.0.0.0:8411"], ...HOST, ...TLS }, 1],
  ])("%s", (_, options, problems) => {
    expect(refusedBy(options)).toHaveLength(problems);
  });

  it("loopback alone needs nothing of it, and may admit callers without a key", () => {
    expect(refusedBy({}, true)).toEqual([]);
    const { isReachable, stopMs } = planListening({}, 8411, true);
    expect({ isReachable, stopMs }).toEqual({ isReachable: false, stopMs: 0 });
  });
});

describe("the addresses it listens on", () => {
  const loopback = ["127.0.0.1 8411", "::1 same"];
  it.each<[title: string, options: NetworkOptions, doors: string[]]>([
    ["are loopback's, unless others are named", {}, loopback],
    ["are loopback's and one more, on the same port", { listen: ["192.0.2.7"] }, [...loopback, "192.0.2.7 same"]],
    ["are one for all IPv4", { listen: ["0.0.0.0"] }, ["0.0.0.0 8411", "::1 same"]],
    ["are one for all", { listen: ["[::]"] }, [":: 8411 both"]],
    ["are two for all", { listen: ["[::]", "0.0.0.0:8411"] }, [":: 8411", "0.0.0.0 same"]],
    ["are loopback's beside one for all on another port", { listen: ["0.0.0.0:80"] }, [...loopback, "0.0.0.0 80"]],
    ["have TLS, but for loopback's", { listen: ["[::]"], ...TLS }, [...loopback, ":: 8443 tls both"]],
    ["have TLS where told", { listen: ["192.0.2.7:8411"], ...TLS }, [...loopback, "192.0.2.7 same tls"]],
    [
      "have TLS on loopback where another port is named",
      { listen: ["127.0.0.1:9443"], ...TLS },
      [...loopback, "127.0.0.1 9443 tls"],
    ],
    ["are each named once", { listen: ["127.0.0.1", "192.0.2.7:1", "192.0.2.7:1"] }, [...loopback, "192.0.2.7 1"]],
  ])("%s", (_, options, doors) => {
    expect(doorsOf(options)).toEqual(doors);
  });
});

describe("where people find it", () => {
  it.each<[options: NetworkOptions, url: string | undefined]>([
    [{}, undefined],
    [{ listen: ["0.0.0.0"], ...HOST, ...TLS }, "https://knowledge.example.com:8443"],
    [{ listen: ["0.0.0.0:443"], hosts: ["knowledge.example.com:443"], ...TLS }, "https://knowledge.example.com"],
    [{ listen: ["[2001:db8::1]"], ...TLS }, "https://[2001:db8::1]:8443"],
    [{ listen: ["0.0.0.0"], ...HOST, trustedProxies: ["10.0.0.7"] }, "https://knowledge.example.com"],
    [{ listen: ["0.0.0.0"], ...HOST, plainHttp: true }, "http://knowledge.example.com:8443"],
    [{ listen: ["0.0.0.0"], ...TLS, publicUrl: "https://K.example:443/" }, "https://k.example"],
  ])("%j: %s", (options, url) => {
    expect(planListening(options, 8411, false).publicUrl(8443)).toBe(url);
  });
});

import { expect, it } from "vitest";
import { readExempt } from "./exempt.ts";

it.each([
  [
    "example.com",
    ["example.com", "EXAMPLE.COM", "a.b.example.com", "example.com."],
    ["notexample.com", "example.com.evil.test", "example.org"],
  ],
  [".example.com", ["example.com", "a.example.com"], ["notexample.com"]],
  ["*.example.com", ["example.com", "a.example.com"], ["notexample.com"]],
  ["Example.COM.", ["example.com"], ["example.org"]],
  ["*", ["anything.test", "10.1.2.3", "[2001:db8::1]"], []],
  ["a.test, b.test\tc.test  ,,", ["a.test", "b.test", "c.test"], ["d.test", ""]],
  ["10.0.0.7", ["10.0.0.7"], ["10.0.0.70", "110.0.0.7"]],
  ["10.0.0.0/8", ["10.0.0.1", "10.255.255.255"], ["11.0.0.1", "ten.test", "10.0.0.1.test"]],
  ["192.168.4.0/23", ["192.168.5.9"], ["192.168.6.1"]],
  ["fd00::/8", ["[fd12::1]", "fd12::1"], ["[fe80::1]", "10.0.0.1"]],
  ["[2001:db8::5]", ["[2001:db8::5]", "2001:db8:0::5"], ["[2001:db8::6]"]],
  ["10.0.0.0/99 10.0.0.0/x /8 300.0.0.0/8 . :80", [], ["10.0.0.1", "a.test", "0.0.0.8"]],
  ["", [], ["a.test"]],
])("%j leaves out what it names, and nothing else", (text, exempt, others) => {
  const isExempt = readExempt(text);
  expect(exempt.filter((host) => !isExempt(host, 443))).toEqual([]);
  expect(others.filter((host) => isExempt(host, 443))).toEqual([]);
});

it("may name a port", () => {
  const isExempt = readExempt("model.test:8080 10.0.0.1:443 [2001:db8::5]:8443");
  expect([isExempt("model.test", 8080), isExempt("a.model.test", 8080), isExempt("model.test", 443)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isExempt("10.0.0.1", 443), isExempt("10.0.0.1", 80)]).toEqual([true, false]);
  expect([isExempt("[2001:db8::5]", 8443), isExempt("[2001:db8::5]", 443)]).toEqual([true, false]);
});

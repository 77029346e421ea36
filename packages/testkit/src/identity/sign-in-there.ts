/** A browser as far as signing in needs one: it keeps cookies of one host, goes where it is sent, and fills in forms. */
interface Browser {
  /** Goes to an address, and on where it is sent; stops at what is elsewhere, and returns it. */
  go(
    address: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly page: string }>;
}

/**
 * Signs in at the pages of a provider that `startIdentityProvider` started, as a person with a browser does.
 * @param url the page `begin` gave
 * @param login who signs in
 * @returns the address of the application the browser is sent back to, which is not asked
 */
export async function signInThere(url: string, login: string): Promise<string> {
  const browser = createBrowser(new URL(url).origin);
  let at = await browser.go(url);
  for (let page = 0; page < 4; page++) {
    const action = /<form[^>]* action="([^"]+)"/.exec(at.page)?.[1];
    const prompt = /name="prompt" value="([a-z]+)"/.exec(at.page)?.[1];
    if (action === undefined || prompt === undefined) return at.url;
    at = await browser.go(action, prompt === "login" ? { prompt, login, password: "any" } : { prompt });
  }
  return at.url;
}

function createBrowser(origin: string): Browser {
  const cookies = new Map<string, string>();
  return {
    async go(address, form) {
      let url = address;
      let body = form && new URLSearchParams(form);
      for (;;) {
        const reply = await fetch(url, {
          redirect: "manual",
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
          ...(body && { method: "POST", body }),
        });
        const page = await reply.text();
        for (const cookie of reply.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        const target = reply.headers.get("location");
        if (target === null) return { url, page };
        url = new URL(target, url).href;
        body = undefined;
        if (new URL(url).origin !== origin) return { url, page: "" };
      }
    },
  };
}

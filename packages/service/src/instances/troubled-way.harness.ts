import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A way to a PostgreSQL server of the tests that can be made a bad one. */
interface TroubledWay {
  /** Of the database, by this way. */
  readonly url: string;
  /** Who comes is let in, and hears nothing any more: neither do those who came before. */
  isSilent: boolean;
  /** How often somebody asked and waited for the server, so far: statements that are sent together count once. */
  roundTrips: number;
  /** Cuts off who came so far; the server does not learn of it, as after a cut of the network. */
  forget(): void;
  end(): void;
}

/** Opens one. */
export async function troubledWay(url: string): Promise<TroubledWay> {
  const folder = mkdtempSync(join(tmpdir(), "threadlore-way-"));
  const socket = ".s.PGSQL.5432";
  const real = join(new URL(url).searchParams.get("host") ?? "", socket);
  const nearOnes = new Set<Socket>();
  const farOnes = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(real);
    nearOnes.add(near);
    farOnes.add(far);
    let isForgotten = false;
    let isAsked = false;
    for (const one of [near, far]) one.on("error", () => undefined);
    near.on("data", (bytes) => {
      if (!isAsked) way.roundTrips++;
      isAsked = true;
      if (!way.isSilent) far.write(bytes);
    });
    far.on("data", (bytes) => {
      isAsked = false;
      if (!way.isSilent) near.write(bytes);
    });
    near.on("forgotten", () => (isForgotten = true));
    near.on("close", () => void (isForgotten || way.isSilent || far.destroy()));
    far.on("close", () => near.destroy());
  });
  const way: TroubledWay = {
    url: url.replace(/host=.*/, `host=${folder}`),
    isSilent: false,
    roundTrips: 0,
    forget() {
      for (const near of nearOnes) {
        near.emit("forgotten");
        near.destroy();
      }
      nearOnes.clear();
    },
    end() {
      for (const one of [...nearOnes, ...farOnes]) one.destroy();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await new Promise<void>((resolve) => void proxy.listen(join(folder, socket), resolve));
  return way;
}

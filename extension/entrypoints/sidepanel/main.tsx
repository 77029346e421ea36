import { App } from "../../src/panel/app.tsx";
import { Panel } from "../../src/panel/panel.ts";
import { mount } from "../../src/ui/mount.tsx";

const panel = new Panel();
addEventListener("pagehide", () => panel.leave());
mount(<App panel={panel} />);

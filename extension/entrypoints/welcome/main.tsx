import { createPageState } from "../../src/options/page-state.ts";
import { mount } from "../../src/ui/mount.tsx";
import { WelcomeApp } from "../../src/welcome/app.tsx";

mount(<WelcomeApp state={createPageState()} />);

import { createPageState } from "../../src/options/page-state.ts";
import { OptionsApp } from "../../src/options/app.tsx";
import { mount } from "../../src/ui/mount.tsx";

mount(<OptionsApp state={createPageState()} />);

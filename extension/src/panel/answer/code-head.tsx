import { visibleText } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";

interface CodeHeadProps {
  /** What the answer calls it; "" where it does not. */
  readonly language: string;
  /** The code as it stands then. */
  readonly code: () => string;
}

const SAID_MS = 2_000;

/** Above a block of code: what it is written in, and the way to have it. */
export function CodeHead({ language, code }: CodeHeadProps): VNode {
  const copied = useSignal<"no" | "yes" | "failed">("no");
  const copy = async () => {
    copied.value = await navigator.clipboard.writeText(visibleText(code())).then(
      () => "yes" as const,
      () => "failed" as const,
    );
    setTimeout(() => (copied.value = "no"), SAID_MS);
  };
  const name = language === "" ? i18n.t("panel.block.copyCode") : i18n.t("panel.block.copyNamed", [language]);
  const said = { no: "", yes: i18n.t("panel.answer.copied"), failed: i18n.t("panel.answer.copyFailed") };
  return (
    <>
      <span class="code-language">{language}</span>
      <span class="code-said" role="status">
        {said[copied.value]}
      </span>
      <IconButton icon={copied.value === "yes" ? "check" : "copy"} label={name} onClick={() => void copy()} />
    </>
  );
}

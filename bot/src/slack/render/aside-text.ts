import type { Aside, Block } from "@threadlore/ask";

/** An aside as blocks of markdown, for where it is text. */
export function asideAsText({ role, children }: Aside): readonly Block[] {
  if (role === "conflict") return [{ type: "quote", children }];
  if (role === "closest") return children;
  return children.map((block) =>
    block.type === "paragraph" ? { ...block, children: [{ type: "emphasis", children: block.children }] } : block,
  );
}

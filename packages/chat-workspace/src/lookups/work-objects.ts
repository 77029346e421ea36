import { type Fields, isObject } from "../fields.ts";

/** What a Work Object is called. */
export function titleOf(entity: Fields): string {
  const payload = isObject(entity["entity_payload"]) ? entity["entity_payload"] : {};
  const attributes = isObject(payload["attributes"]) ? payload["attributes"] : {};
  return isObject(attributes["title"]) ? String(attributes["title"]["text"]) : "";
}

/** What a Work Object says of itself. */
export function descriptionOf(entity: Fields): string {
  const payload = isObject(entity["entity_payload"]) ? entity["entity_payload"] : {};
  const fields = isObject(payload["fields"]) ? payload["fields"] : {};
  return isObject(fields["description"]) ? String(fields["description"]["value"]) : "";
}

/** When a Work Object was last changed, where it says so. */
export function updatedOf(entity: Fields): Date | undefined {
  const payload = isObject(entity["entity_payload"]) ? entity["entity_payload"] : {};
  const fields = isObject(payload["fields"]) ? payload["fields"] : {};
  const value = isObject(fields["date_updated"]) ? fields["date_updated"]["value"] : undefined;
  return typeof value === "number" ? new Date(value * 1_000) : undefined;
}

import type * as z from "zod/mini";

/** Whether a value is what a schema demands, so that parsing it would give back an equal value. */
export type Guard = (value: unknown) => boolean;

/**
 * Makes a quick guard out of a schema. A true is worth as much as the schema's own, at a fraction of its cost, because
 * nothing is copied and nothing collected; a false says nothing: ask the schema.
 *
 * Made of the schema itself, so that the model is written once. What stands in a schema and is not known here, such as
 * a check of a string or a transformation, makes the guard say false.
 */
export function guardOf(schema: z.core.$ZodType): Guard {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.checks !== undefined && def.checks.length > 0) return def.type === "number" ? integerGuard(def) : never;
  switch (def.type) {
    case "string":
      return isText;
    case "number":
      return Number.isFinite;
    case "boolean":
      return isBoolean;
    case "unknown":
      return always;
    case "optional":
      return eitherGuard(undefined, guardOf(def.innerType));
    case "nullable":
      return eitherGuard(null, guardOf(def.innerType));
    case "default":
      // What is absent is filled in by the schema.
      return guardOf(def.innerType);
    case "literal":
      return (value) => (def.values as readonly unknown[]).includes(value);
    case "array":
      return listGuard(guardOf(def.element));
    case "record":
      return recordGuard(def);
    case "object":
      return objectGuard(def);
    case "union":
      return unionGuard(def);
    default:
      return never;
  }
}

const isText: Guard = (value) => typeof value === "string";
const isBoolean: Guard = (value) => typeof value === "boolean";
const always: Guard = () => true;
const never: Guard = () => false;

function eitherGuard(nothing: null | undefined, guard: Guard): Guard {
  return (value) => value === nothing || guard(value);
}

function listGuard(guard: Guard): Guard {
  return (value) => Array.isArray(value) && value.every(guard);
}

function integerGuard({ checks = [] }: z.core.$ZodNumberDef): Guard {
  const isInteger = checks.every((check) => {
    const { def } = check._zod;
    return "format" in def && def.format === "safeint";
  });
  return isInteger ? Number.isSafeInteger : never;
}

/** An object as JSON makes them. Schemas leave `__proto__` out, so an object with one is theirs. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__");
}

function recordGuard({ keyType, valueType }: z.core.$ZodRecordDef): Guard {
  if (guardOf(keyType) !== isText) return never;
  const guard = guardOf(valueType);
  if (guard === always) return isPlainObject;
  return (value) => isPlainObject(value) && Object.values(value).every(guard);
}

function objectGuard({ shape, catchall }: z.core.$ZodObjectDef): Guard {
  // Only an open object keeps the keys it does not know.
  if (catchall === undefined || guardOf(catchall) !== always) return never;
  const members = Object.entries(shape).map(([key, schema]) => ({ key, guard: guardOf(schema) }));
  return (value) => {
    if (!isPlainObject(value)) return false;
    for (const { key, guard } of members) if (!guard(value[key])) return false;
    return true;
  };
}

/** Only a union whose members are told apart by one key. */
function unionGuard(def: z.core.$ZodUnionDef & { discriminator?: string }): Guard {
  const { discriminator, options } = def;
  if (discriminator === undefined) return never;
  const guards = new Map<unknown, Guard>();
  for (const option of options) {
    const guard = guardOf(option);
    for (const value of option._zod.propValues?.[discriminator] ?? []) guards.set(value, guard);
  }
  return (value) =>
    typeof value === "object" && value !== null && guards.get(Reflect.get(value, discriminator))?.(value) === true;
}

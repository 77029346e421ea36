/** What is known of something, else what is found, which is known from then on. */
export function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const value = known.has(key) ? (known.get(key) as Value) : find();
  known.set(key, value);
  return value;
}

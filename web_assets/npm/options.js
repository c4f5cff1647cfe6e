// Options as frameworks pass them: new objects with each rendering, mostly with the same values.

/** Return a text that is the same for options that make the same instance; null if there are none yet. */
export function optionsKey(options) {
  if (!options) return null;
  const told = Object.entries(options).filter(([, value]) => value !== undefined);
  return JSON.stringify(told.map(([name, value]) => [name, typeof value === "function" ? "function" : value]).sort());
}

/** Return the options that `latest` gives; a token function among them always calls the latest one. */
export function optionsAs(latest) {
  const options = latest();
  return typeof options.token === "function" ? { ...options, token: () => latest().token() } : { ...options };
}

// Options as frameworks hand them over: new with each rendering, and mostly the same.

/** Return a text that is the same for options that make the same instance; null for none yet. */
export function optionsKey(options) {
  if (!options) return null;
  const told = Object.entries(options).filter(([, value]) => value !== undefined);
  return JSON.stringify(told.map(([name, value]) => [name, typeof value === "function" ? "function" : value]).sort());
}

/** Return the options that `latest` gives; a function for tokens among them is the latest whenever it is called. */
export function optionsAs(latest) {
  const options = latest();
  return typeof options.token === "function" ? { ...options, token: () => latest().token() } : { ...options };
}

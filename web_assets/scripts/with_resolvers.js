// Promise.withResolvers, which older browsers lack.

/** Return a promise with the functions that settle it. */
export function withResolvers() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

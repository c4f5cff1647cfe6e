// Where the host page enforces Trusted Types, its policy list has to name "servicejs"; elsewhere texts pass as they are.
// Only the SDK's own rendering, which escapes every value, and addresses of the SDK's own making go through here.

function createPolicy() {
  const asIs = { createHTML: (text) => text, createScriptURL: (url) => url };
  try {
    return globalThis.trustedTypes?.createPolicy("servicejs", asIs) ?? asIs;
  } catch {
    return asIs; // the page forbids the policy; what needs it then fails with the page's own error
  }
}

export const trusted = createPolicy();

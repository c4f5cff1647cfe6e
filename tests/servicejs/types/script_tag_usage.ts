// A page with the script tag: `ServiceJS` is a global, and the address of the service is known.
import type { ServiceJS as Instance } from "./servicejs.js";

const sdk: Instance = new ServiceJS({ appKey: "key", userId: "user", hash: "00" });
const positional = new window.ServiceJS("key", "00", "user");
const { INLINE } = ServiceJS.MarketplaceRenderModes;

export async function use(): Promise<void> {
  await sdk.showApps([], INLINE, "apps");
  await positional.getApps().catch((error) => error instanceof ServiceJS.ServiceError && console.log(error.code));
}

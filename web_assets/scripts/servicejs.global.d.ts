/** What the script tag adds to a page. */
import type { ServiceJS as ServiceJSClass } from "./servicejs.js";

declare global {
  var ServiceJS: typeof ServiceJSClass;
}

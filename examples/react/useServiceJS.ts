import { useEffect, useState } from "react";
import { ServiceJS, type Options } from "integration-functions-servicejs";

/**
 * An instance of the SDK for as long as a component is shown; null until its first effect has run.
 *
 * Effects run in browsers only, so pages can be rendered on a server. Whatever the instance shows is taken away with it,
 * also between the two runs that StrictMode makes of every effect.
 */
export function useServiceJS({ baseUrl, appKey, userId, hash }: Options): ServiceJS | null {
  const [sdk, setSdk] = useState<ServiceJS | null>(null);
  useEffect(() => {
    const made = new ServiceJS({ baseUrl, appKey, userId, hash });
    setSdk(made);
    return () => {
      setSdk(null);
      void made.destroy();
    };
  }, [baseUrl, appKey, userId, hash]);
  return sdk;
}

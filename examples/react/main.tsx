import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import type { Options } from "integration-functions-servicejs";
import { IntegrationPanel } from "./IntegrationPanel";

// Your backend renders the page with these: the user's id, and the hash that it computed of it with the app's secret.
const root = document.getElementById("root") as HTMLElement;
const { baseUrl, appKey, userId, hash } = root.dataset as Record<string, string>;
const options: Options = { baseUrl, appKey, userId, hash };

function Page() {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!isShown)}>
        {isShown ? "Hide integrations" : "Show integrations"}
      </button>
      {isShown && <IntegrationPanel options={options} />}
    </>
  );
}

createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);

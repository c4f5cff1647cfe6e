// A form in React two of whose fields are drawn by components that fail: one at once, one when its value changes.
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { FunctionForm, useServiceJS } from "integration-functions-servicejs/react";

function Title() {
  throw new Error("No title");
}

function Priority({ field }) {
  if (field.value) throw new Error("No priority");
  return createElement("button", { type: "button", onClick: () => field.set("high") }, "Own priority");
}

const renderers = { title: Title, priority: Priority };

function Page({ options }) {
  const sdk = useServiceJS(options);
  const onSubmit = (filled) => (document.title = JSON.stringify(filled));
  return createElement(FunctionForm, { sdk, functionName: "sandbox-create-ticket", renderers, onSubmit });
}

window.show = (options) => createRoot(document.getElementById("root")).render(createElement(Page, { options }));

// A form in Vue two of whose fields are drawn by components that fail: one at once, one when its value changes.
import { createApp, h } from "vue";
import { FunctionForm, useServiceJS } from "integration-functions-servicejs/vue";

const Title = {
  setup: () => () => {
    throw new Error("No title");
  },
};

const Priority = {
  props: ["field"],
  setup: (props) => () => {
    if (props.field.value) throw new Error("No priority");
    return h("button", { type: "button", onClick: () => props.field.set("high") }, "Own priority");
  },
};

const renderers = { title: Title, priority: Priority };

window.show = (options) => {
  const setup = () => {
    const sdk = useServiceJS(options);
    const onSubmit = (filled) => (document.title = JSON.stringify(filled));
    return () => h(FunctionForm, { sdk: sdk.value, functionName: "sandbox-create-ticket", renderers, onSubmit });
  };
  createApp({ setup }).mount("#root");
};

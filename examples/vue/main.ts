import { createApp, defineComponent, h, ref } from "vue";
import type { Options } from "integration-functions-servicejs";
import { IntegrationPanel } from "./IntegrationPanel";

// Your backend renders the page with these: the user's id, and the hash that it computed of it with the app's secret.
const root = document.getElementById("root") as HTMLElement;
const { baseUrl, appKey, userId, hash } = root.dataset as Record<string, string>;
const options: Options = { baseUrl, appKey, userId, hash };

const Page = defineComponent(() => {
  const isShown = ref(true);
  const toggle = () => (isShown.value = !isShown.value);
  return () => [
    h("button", { type: "button", onClick: toggle }, isShown.value ? "Hide integrations" : "Show integrations"),
    isShown.value && h(IntegrationPanel, { options }),
  ];
});

createApp(Page).mount(root);

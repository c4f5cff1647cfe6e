import { computed, defineComponent, h, ref, shallowRef, watch, type PropType } from "vue";
import { ServiceError, type ConnectedAccount, type Options, type PageField } from "integration-functions-servicejs";
import { FunctionForm, Marketplace, useServiceJS, useServiceJSEvent } from "integration-functions-servicejs/vue";

const APP = "sandbox";
const CREATE_TICKET = "sandbox-create-ticket";

/** The priority, as buttons in place of a list. */
const PriorityButtons = defineComponent({
  props: { field: { type: Object as PropType<PageField>, required: true } },
  setup(props) {
    return () => {
      const { field } = props;
      const buttons = field.options.map(({ value, label }) => {
        const pressed = value === field.value;
        return h("button", { key: label, type: "button", "aria-pressed": pressed, onClick: () => field.set(value) }, label);
      });
      return h("div", { role: "group", "aria-label": field.title }, buttons);
    };
  },
});

const RENDERERS = { priority: PriorityButtons };

/** The apps of a user, and a button that creates a ticket in one of them. */
export const IntegrationPanel = defineComponent({
  props: { options: { type: Object as PropType<Options>, required: true } },
  setup(props) {
    const sdk = useServiceJS(() => props.options);
    const accounts = shallowRef<ConnectedAccount[]>([]);
    const message = ref("Starting…");
    const isFilling = ref(false);
    const apps = [APP];
    const hasNone = computed(() => accounts.value.length === 0);

    useServiceJSEvent(sdk, "ready", () => (message.value = "Ready"));
    useServiceJSEvent(sdk, "error", (error) => (message.value = error.message));
    useServiceJSEvent(sdk, "app-connected", (app) => (accounts.value = app.connected_accounts));
    useServiceJSEvent(sdk, "app-disconnected", (app) => (accounts.value = app.connected_accounts));
    watch(sdk, (made) => {
      const found = made?.getConnectedAccounts(APP);
      void found?.then((known) => (accounts.value = known), () => {}); // `error` tells why
    });

    /** Do what a button is for, and say what came of it. */
    async function run(action: () => Promise<string>) {
      try {
        message.value = await action();
      } catch (error) {
        if (error instanceof ServiceError && error.code === "cancelled") message.value = "Nothing was done.";
        else message.value = error instanceof Error ? error.message : String(error);
      }
    }

    async function connect() {
      return sdk.value === null ? "Not yet." : `Connected ${await sdk.value.connectApp(APP)}`;
    }

    async function createTicket(params: Record<string, unknown>) {
      if (sdk.value === null) return "Not yet.";
      const result = await sdk.value.invokeFunction(CREATE_TICKET, params);
      return "error" in result ? result.error : `Answered with ${result.network_code}`;
    }

    /** Take the form away, and say why. */
    function leaveForm(reason: string) {
      isFilling.value = false;
      message.value = reason;
    }

    function submit(params: Record<string, unknown>) {
      leaveForm("Creating…");
      void run(() => createTicket(params));
    }

    const button = (words: string, onClick: () => void, disabled = false) =>
      h("button", { type: "button", disabled, onClick }, words);
    const failed = (error: ServiceError) => leaveForm(error.message);
    return () =>
      h("section", [
        h("h2", "Tickets"),
        h("p", { role: "status" }, message.value),
        h("ul", accounts.value.map((account) => h("li", { key: account.id }, account.display_name))),
        button("Connect Tickets", () => void run(connect)),
        button("Create ticket", () => (isFilling.value = true), hasNone.value),
        button("All apps", () => void sdk.value?.showApps()),
        isFilling.value &&
          h(FunctionForm, {
            sdk: sdk.value,
            functionName: CREATE_TICKET,
            renderers: RENDERERS,
            onSubmit: submit,
            onCancel: () => leaveForm("Nothing was done."),
            onFailure: failed,
          }),
        h(Marketplace, { sdk: sdk.value, apps, onFailure: failed }),
      ]);
  },
});

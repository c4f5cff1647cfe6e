// Vue components of ServiceJS. They show things once mounted, which happens in browsers only, so that pages can be
// rendered on a server. What a component shows goes with it.

import { defineComponent, Fragment, h, onErrorCaptured, onMounted, shallowRef, Teleport, toRaw, toValue, useId, watch } from "vue";
import { MarketplaceRenderModes, ServiceJS } from "./index.js";
import { optionsAs, optionsKey } from "./options.js";

let madeNodes = 0; // nodes in which components draw fields

/** Call `act` once mounted, and again whenever the value of `source` changes; what `act` returns undoes it. */
function whileMounted(source, act) {
  const run = (values, _, onCleanup) => {
    const undo = act(values);
    if (undo) onCleanup(undo);
  };
  onMounted(() => watch(source, run, { immediate: true }));
}

export function useServiceJS(options) {
  const sdk = shallowRef(null); // an instance has private fields, which a proxy lacks
  whileMounted(
    () => optionsKey(toValue(options)),
    (key) => {
      if (key === null) return;
      const made = (sdk.value = new ServiceJS(optionsAs(() => toValue(options))));
      return () => {
        sdk.value = null;
        void made.destroy();
      };
    },
  );
  return sdk;
}

export function useServiceJSEvent(sdk, event, handler) {
  whileMounted(
    () => [toRaw(toValue(sdk)), toValue(event)],
    ([instance, name]) => {
      if (!instance) return;
      const tell = (payload) => handler(payload);
      instance.eventEmitter.on(name, tell).catch(reportUnlessDestroyed);
      return () => void instance.eventEmitter.unsub(name, tell).catch(reportUnlessDestroyed);
    },
  );
}

export const Marketplace = defineComponent({
  name: "Marketplace",
  props: {
    sdk: { type: Object, default: null },
    apps: { type: Array, default: () => [] },
    promptBox: { type: Boolean, default: undefined },
  },
  emits: ["failure"],
  setup(props, { emit }) {
    const id = useId();
    whileMounted(
      [() => toRaw(props.sdk), () => JSON.stringify(props.apps), () => props.promptBox],
      ([sdk, names, promptBox]) => {
        if (!sdk) return;
        let isShown = true;
        const fail = (error) => isShown && emit("failure", error);
        sdk.showApps(JSON.parse(names), MarketplaceRenderModes.INLINE, id, { promptBox }).catch(fail);
        return () => {
          isShown = false;
          void sdk.closeApps(id).catch(reportUnlessDestroyed);
        };
      },
    );
    return () => h("div", { id });
  },
});

export const FunctionForm = defineComponent({
  name: "FunctionForm",
  props: {
    sdk: { type: Object, default: null },
    functionName: { type: String, required: true },
    params: { type: Object, default: () => ({}) },
    connectedAccountId: { type: [String, Number], default: undefined },
    prediction: { type: Object, default: undefined },
    inline: { type: Boolean, default: false },
    renderers: { type: Object, default: () => ({}) },
  },
  emits: ["submit", "cancel", "failure"],
  setup(props, { emit }) {
    const id = useId();
    const drawn = shallowRef([]); // the fields that components of the page draw, each with its node
    const draw = (path, renderer) => (field) => {
      const node = document.createElement("div");
      drawn.value = [...drawn.value, { node, path, renderer, field, key: ++madeNodes }];
      const update = (now) => {
        drawn.value = drawn.value.map((each) => (each.node === node ? { ...each, field: now } : each));
      };
      const destroy = () => {
        drawn.value = drawn.value.filter((each) => each.node !== node);
      };
      return { node, update, destroy };
    };
    whileMounted(
      [() => toRaw(props.sdk), () => props.functionName, () => props.connectedAccountId, () => props.inline],
      ([sdk, functionName, account, inline]) => {
        if (!sdk) return;
        const leaving = new AbortController();
        const { signal } = leaving;
        const place = inline ? { renderMode: MarketplaceRenderModes.INLINE, containerId: id } : {};
        const renderers = Object.fromEntries(
          Object.entries(toRaw(props.renderers)).map(([path, renderer]) => [path, draw(path, renderer)]),
        );
        const options = { prediction: toRaw(props.prediction), renderers, signal, ...place };
        sdk.showFunctionUI(functionName, toRaw(props.params), account, options).then(
          (filled) => signal.aborted || emit("submit", filled),
          (error) => {
            if (signal.aborted) return;
            if (error.code === "cancelled") emit("cancel");
            else emit("failure", error);
          },
        );
        return () => leaving.abort();
      },
    );
    return () => {
      const teleports = drawn.value.map(({ node, path, renderer, field, key }) => {
        const component = toRaw(props.renderers)[path] ?? renderer; // the page may have dropped it by now
        return h(Teleport, { to: node, key }, h(FieldBoundary, { field }, () => h(component, { field })));
      });
      return h(Fragment, [props.inline ? h("div", { id }) : null, ...teleports]);
    };
  },
});

/** Catches a failure of a field's component: the form's own field replaces it, and the application stays. */
const FieldBoundary = defineComponent({
  props: { field: { type: Object, required: true } },
  setup(props, { slots }) {
    const hasFailed = shallowRef(false);
    onErrorCaptured((error) => {
      hasFailed.value = true;
      props.field.fail(error);
      return false;
    });
    return () => (hasFailed.value ? null : slots.default());
  },
});

function reportUnlessDestroyed(error) {
  if (error.code !== "destroyed") reportError(error);
}

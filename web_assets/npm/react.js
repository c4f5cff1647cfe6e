// React components of ServiceJS. They show things in effects, which run in browsers only, so that pages can be rendered
// on a server. What a component shows goes with it, also between the two runs of StrictMode.

import { Component, createElement, Fragment, useEffect, useId, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { MarketplaceRenderModes, ServiceJS } from "./index.js";
import { optionsAs, optionsKey } from "./options.js";

let madeNodes = 0; // nodes in which components draw fields

/** Keep the last rendering's value, for callbacks that run later. */
function useLatest(value) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

export function useServiceJS(options) {
  const [sdk, setSdk] = useState(null);
  const latest = useLatest(options);
  const key = optionsKey(options);
  useEffect(() => {
    if (key === null) return;
    const made = new ServiceJS(optionsAs(() => latest.current));
    setSdk(made);
    return () => {
      setSdk(null);
      void made.destroy();
    };
  }, [key, latest]);
  return sdk;
}

export function useServiceJSEvent(sdk, event, handler) {
  const latest = useLatest(handler);
  useEffect(() => {
    if (!sdk) return;
    const tell = (payload) => latest.current?.(payload);
    sdk.eventEmitter.on(event, tell).catch(reportUnlessDestroyed);
    return () => void sdk.eventEmitter.unsub(event, tell).catch(reportUnlessDestroyed);
  }, [sdk, event, latest]);
}

export function Marketplace({ sdk, apps = [], promptBox, onFailure, ...rest }) {
  const id = useId();
  const latest = useLatest(onFailure);
  const names = JSON.stringify(apps);
  useEffect(() => {
    if (!sdk) return;
    let isShown = true;
    const fail = (error) => isShown && latest.current?.(error);
    sdk.showApps(JSON.parse(names), MarketplaceRenderModes.INLINE, id, { promptBox }).catch(fail);
    return () => {
      isShown = false;
      void sdk.closeApps(id).catch(reportUnlessDestroyed);
    };
  }, [sdk, id, names, promptBox, latest]);
  return createElement("div", { ...rest, id });
}

export function FunctionForm({ sdk, functionName, connectedAccountId, inline = false, ...rest }) {
  const id = useId();
  const latest = useLatest(rest);
  const [drawn, setDrawn] = useState([]); // the fields that components of the page draw, each with its node
  useEffect(() => {
    if (!sdk) return;
    const leaving = new AbortController();
    const { params = {}, prediction, renderers = {} } = latest.current;
    const place = inline ? { renderMode: MarketplaceRenderModes.INLINE, containerId: id } : {};
    const draw = (path) => (field) => {
      const node = document.createElement("div");
      const key = String(++madeNodes);
      const drawing = { node, path, renderer: renderers[path], field, key };
      flushSync(() => setDrawn((others) => [...others, drawing])); // it may have to take the focus
      const update = (now) => setDrawn((all) => all.map((each) => (each.node === node ? { ...each, field: now } : each)));
      const destroy = () => setDrawn((all) => all.filter((each) => each.node !== node));
      return { node, update, destroy };
    };
    const drawers = Object.fromEntries(Object.keys(renderers).map((path) => [path, draw(path)]));
    const options = { prediction, renderers: drawers, signal: leaving.signal, ...place };
    sdk.showFunctionUI(functionName, params, connectedAccountId, options).then(
      (filled) => leaving.signal.aborted || latest.current.onSubmit?.(filled),
      (error) => {
        if (leaving.signal.aborted) return;
        if (error.code === "cancelled") latest.current.onCancel?.();
        else latest.current.onFailure?.(error);
      },
    );
    return () => leaving.abort();
  }, [sdk, id, functionName, connectedAccountId, inline, latest]);
  const portals = drawn.map(({ node, path, renderer, field, key }) => {
    const component = createElement(rest.renderers?.[path] ?? renderer, { field }); // the page may have dropped it by now
    return createPortal(createElement(FieldBoundary, { field }, component), node, key);
  });
  return createElement(Fragment, null, inline && createElement("div", { id }), ...portals);
}

/** Catches a failure of a field's component: the form's own field replaces it, and the application stays. */
class FieldBoundary extends Component {
  state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  componentDidCatch(error) {
    this.props.field.fail(error);
  }

  render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}

function reportUnlessDestroyed(error) {
  if (error.code !== "destroyed") reportError(error);
}

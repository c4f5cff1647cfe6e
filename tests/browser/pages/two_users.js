"use strict";

// Two instances for two users, each with its own list of what it heard.

const options = JSON.parse(document.currentScript.dataset.options);

for (const name of ["first", "second"]) {
  const sdk = new ServiceJS(options[name]);
  window[name] = sdk;
  for (const event of ["ready", "error", "app-connected", "app-disconnected"]) {
    sdk.eventEmitter.on(event, (payload) => {
      const item = document.createElement("li");
      item.dataset.event = event;
      item.textContent = JSON.stringify(payload);
      document.getElementById(`heard-${name}`).append(item);
    });
  }
  document.getElementById(`connect-${name}`).addEventListener("click", () => {
    sdk.connectApp("sandbox").catch((error) => reportError(error));
  });
}

"use strict";

// The page of all the backends in this folder. It learns who is signed in, and their hash, from the backend.

const element = (id) => document.getElementById(id);
const say = (message) => { element("message").textContent = message; };

async function main() {
  const answer = await fetch("/service-credentials");
  if (!answer.ok) return offerSignIn();
  const { appKey, userId, hash } = await answer.json();
  const sdk = new ServiceJS({ appKey, userId, hash });
  sdk.eventEmitter.on("error", (error) => say(error.message));

  element("user").textContent = userId;
  onClick("show-apps", () => sdk.showApps());
  onClick("report", async () => {
    const { ticket, detail } = await (await post("/report")).json();
    say(ticket ? `Ticket ${ticket.id} was created.` : detail);
  });
  onClick("sign-out", async () => {
    await post("/sign-out");
    sdk.destroy();
    location.reload();
  });
  element("signed-in").hidden = false;
}

function offerSignIn() {
  const form = element("sign-in");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/sign-in", new FormData(form));
    if (answer.ok) location.reload();
    else say("Nobody can be signed in by this name.");
  });
  form.hidden = false;
}

/** Send a form to the backend. Django wants its cookie repeated in a header; the others look where the request is from. */
function post(path, fields) {
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
  return fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRFToken": token } });
}

function onClick(id, action) {
  element(id).addEventListener("click", () => action().catch((error) => say(error.message)));
}

main().catch((error) => say(error.message));

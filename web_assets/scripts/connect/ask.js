// The connect page works without this script. It shows only what the chosen way asks for, says at once what is wrong
// with a field, shows progress, and takes note when the window is closed or the attempt has ended elsewhere.
import { tellWhenClosed } from "./closed.js";
import { watch } from "./watch.js";

const SLOW_MILLISECONDS = 8_000;
const LOST_MILLISECONDS = 60_000; // no answer will come any more: the user stopped the page, or the network did

const form = document.getElementById("connect");
const progress = document.getElementById("progress");
const main = form.querySelector("button.primary");
const controls = [...form.querySelectorAll(".field [name]")];
const page = tellWhenClosed(form.dataset.closed, form.dataset.page, form.elements.token.value);
const stopWatching = watch(form.dataset.state, form.action, page);

function isAsked(element) {
  const way = form.querySelector("[name=auth]:checked");
  return !way || !element.dataset.ways || element.dataset.ways.split(" ").includes(way.id.replace("way-", ""));
}

function choose() {
  for (const control of controls) control.disabled = !isAsked(control.closest(".field"));
}

function problemOf(control) {
  if (control.type !== "password") control.value = control.value.trim();
  if (!control.value.trim()) return control.dataset.missing;
  return control.validity.patternMismatch ? control.dataset.mismatch : "";
}

function say(control, problem) {
  document.getElementById(`${control.name}-error`).textContent = problem;
  control.closest(".field").classList.toggle("wrong", problem !== "");
  if (problem) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

function firstWrong() {
  const asked = controls.filter((control) => !control.disabled);
  for (const control of asked) say(control, problemOf(control));
  return asked.find((control) => control.hasAttribute("aria-invalid"));
}

function work() {
  form.setAttribute("aria-busy", "true");
  const label = [...main.children].find(isAsked);
  const before = label.textContent;
  label.textContent = progress.textContent = label.dataset.progress;
  setTimeout(() => (main.disabled = true)); // once the browser has taken the form's values
  setTimeout(() => (progress.textContent = progress.dataset.slow), SLOW_MILLISECONDS);
  setTimeout(() => {
    label.textContent = before;
    progress.textContent = "";
    form.removeAttribute("aria-busy");
    main.disabled = false;
  }, LOST_MILLISECONDS);
}

form.addEventListener("submit", (event) => {
  const cancels = event.submitter?.formAction.endsWith("/cancel");
  if (form.hasAttribute("aria-busy") && !cancels) return event.preventDefault();
  const wrong = cancels ? null : firstWrong();
  if (wrong) {
    event.preventDefault();
    const error = `${form.dataset.error} `;
    document.title = error + document.title.replace(error, "");
    wrong.focus();
    return;
  }
  page.stays(); // the window moves on, it isn't being closed
  stopWatching();
  if (!cancels) work();
});

document.getElementById("search")?.addEventListener("submit", () => page.stays());

form.addEventListener("change", (event) => {
  if (event.target.name !== "auth") return;
  choose();
  history.replaceState(null, "", `?auth=${encodeURIComponent(event.target.value)}`); // for a reload
});

form.addEventListener("input", ({ target }) => {
  if (target.hasAttribute("aria-invalid") && target.value.trim() && !target.validity.patternMismatch) say(target, "");
});

for (const button of form.querySelectorAll("button[data-shows]")) {
  const control = document.getElementById(button.dataset.shows);
  const show = button.firstChild.data;
  button.hidden = false;
  button.addEventListener("click", () => {
    const shows = control.classList.toggle("shown");
    if (control.type !== "textarea") control.type = shows ? "text" : "password";
    button.firstChild.data = shows ? button.dataset.hide : show;
  });
}

choose();
// A user who came for one particular way knows what to type.
if (new URLSearchParams(location.search).has("auth") && !document.querySelector("[autofocus]")) {
  controls.find((control) => !control.disabled)?.focus();
}

// Going back in the browser's history would show the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.replace(form.action);
});

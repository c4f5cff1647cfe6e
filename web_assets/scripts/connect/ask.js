// The connect page works without this; it shows progress and tells the service when the window is closed.
import { tellWhenClosed } from "./closed.js";

const form = document.getElementById("connect");
const progress = document.getElementById("progress");
const page = tellWhenClosed(form.dataset.closed, form.dataset.page, form.elements.token.value);

form.addEventListener("submit", (event) => {
  page.stays(); // the window goes on, it isn't closed
  if (event.submitter?.formAction.endsWith("/cancel")) return;
  progress.textContent = progress.dataset.text;
  form.setAttribute("aria-busy", "true");
  // Disabled only after the browser has taken the form's values.
  setTimeout(() => {
    for (const button of form.querySelectorAll("button.primary")) button.disabled = true;
  });
});

// Coming back by the browser's history shows the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

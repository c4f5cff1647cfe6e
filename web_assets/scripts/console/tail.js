// Follows the list of calls: asks for the page again and again, and takes over the rows that are new or have changed.
// Without this script the page is the same, and is reloaded by hand.
const MILLISECONDS = 3_000;
const MOST_ROWS = 200;

const [tail, button, told, rows] = ["tail", "follow", "told", "rows"].map((id) => document.getElementById(id));
let timer = null;

/** The rows as the service has them now; null where nobody is signed in any more. */
async function latest() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, redirect: "manual" });
  if (!answer.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [...(page.getElementById("rows")?.rows ?? [])];
}

/** Put rows before those that are there, and replace those that say something else now; how many are new. */
function take(found) {
  const known = new Map([...rows.rows].map((row) => [row.dataset.id, row]));
  const fresh = found.filter((row) => !known.has(row.dataset.id));
  for (const row of found) {
    const there = known.get(row.dataset.id);
    const differs = there && there.innerHTML !== row.innerHTML;
    if (differs && !there.contains(document.activeElement)) there.replaceWith(document.importNode(row, true));
  }
  for (const row of rows.querySelectorAll(".fresh")) row.classList.remove("fresh");
  // Calls begin in the order of their ids, but a long one is in the log only when it has ended.
  for (const row of fresh) {
    const mine = document.importNode(row, true);
    mine.classList.add("fresh");
    rows.insertBefore(mine, [...rows.rows].find((each) => each.dataset.id < row.dataset.id) ?? null);
  }
  while (rows.rows.length > MOST_ROWS) rows.rows[rows.rows.length - 1].remove();
  return fresh.length;
}

function stop(reason) {
  clearTimeout(timer);
  timer = null;
  button.setAttribute("aria-pressed", "false");
  told.textContent = reason;
}

async function look() {
  if (!document.hidden) {
    try {
      const found = await latest();
      if (found === null) return stop("Stopped: sign in again, or reload the page.");
      const number = take(found);
      if (number) told.textContent = number === 1 ? "1 new call" : `${number} new calls`;
    } catch {
      told.textContent = "The service can’t be reached; trying again.";
    }
  }
  if (timer !== null) timer = setTimeout(look, MILLISECONDS);
}

if (tail && rows) {
  tail.hidden = false;
  button.addEventListener("click", () => {
    if (timer !== null) return stop("");
    button.setAttribute("aria-pressed", "true");
    told.textContent = "Following…";
    timer = setTimeout(look, 0);
  });
}

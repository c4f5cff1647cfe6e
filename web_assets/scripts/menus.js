// Menu buttons as the ARIA pattern has them: a button with aria-haspopup="menu" opens the menu that aria-controls
// names. In it the arrow keys, Home, End and first letters move. A press of an item is a gesture like any other.

export class Menus {
  #frame;
  #button = null; // of the open menu
  #outside = (event) => this.#onPointer(event);

  constructor(frame) {
    this.#frame = frame;
    frame.addEventListener("click", (event) => this.#onClick(event));
    // Before the surface gets the key: Escape closes the menu, and nothing else.
    frame.getRootNode().addEventListener("keydown", (event) => this.#onKey(event), true);
  }

  /** Reopen the menu that was open before its part of the page was rendered. */
  keep() {
    if (!this.#button) return;
    if (this.#button.isConnected && this.#menu) this.#show(true);
    else this.#close();
  }

  close() {
    if (this.#button) this.#close();
  }

  get #menu() {
    return this.#frame.getRootNode().getElementById(this.#button.getAttribute("aria-controls"));
  }

  get #items() {
    return [...this.#menu.querySelectorAll("[role=menuitem]")];
  }

  #show(isOpen) {
    this.#button.setAttribute("aria-expanded", String(isOpen));
    if (!this.#menu) return;
    this.#menu.hidden = !isOpen;
    if (isOpen) this.#place();
  }

  /** Put the menu above its button where it would reach out of the frame below it, but not above it. */
  #place() {
    const menu = this.#menu;
    menu.classList.remove("is-above");
    const { bottom, height } = menu.getBoundingClientRect();
    const frame = this.#frame.getBoundingClientRect();
    const above = this.#button.getBoundingClientRect().top - height;
    menu.classList.toggle("is-above", bottom > frame.bottom && above > frame.top);
  }

  #open(button, place) {
    this.#button = button;
    this.#show(true);
    document.addEventListener("pointerdown", this.#outside, true);
    this.#menu.scrollIntoView({ block: "nearest" });
    this.#items.at(place)?.focus({ preventScroll: true });
  }

  #close() {
    this.#show(false);
    this.#button = null;
    document.removeEventListener("pointerdown", this.#outside, true);
  }

  /** Close, and put the focus back on the button: keys and gestures go on from there. */
  #leave() {
    this.#button.focus({ preventScroll: true });
    this.#close();
  }

  #onClick({ target }) {
    const button = target.closest("[aria-haspopup=menu]");
    const wasOpen = button && button === this.#button;
    if (wasOpen || (this.#button && target.closest("[role=menuitem]"))) this.#leave();
    if (button && !wasOpen) this.#open(button, 0);
  }

  #onPointer(event) {
    const path = event.composedPath();
    if (!path.includes(this.#menu) && !path.includes(this.#button)) this.#close();
  }

  #onKey(event) {
    const { key, target } = event;
    if (!this.#button) {
      const opens = target.matches("[aria-haspopup=menu]") && { ArrowDown: 0, ArrowUp: -1 }[key];
      if (opens === false || opens === undefined) return;
      this.#open(target, opens);
    } else if (key === "Tab") {
      return this.#leave(); // and on from the button
    } else if (key === "Escape") {
      this.#leave();
    } else if (!this.#move(key, target)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #move(key, target) {
    const items = this.#items;
    const at = items.indexOf(target);
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1, Home: 0, End: -1 }[key];
    if (next !== undefined) return this.#focus(items.at(next % items.length));
    if (key.length > 1 || key === " ") return false;
    const startsWithKey = ({ textContent }) => textContent.trim().toLowerCase().startsWith(key.toLowerCase());
    return this.#focus([...items.slice(at + 1), ...items].find(startsWithKey));
  }

  #focus(item) {
    item?.focus();
    return true;
  }
}

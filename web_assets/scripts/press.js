// While something is held down nothing changes under it: a click only comes if what was pressed is still there when it is
// released, and nothing else must get it instead.

const LONGEST = 1000; // milliseconds; who holds longer drags, or means something else than a click
const CLICK_DELAY = 100; // milliseconds by which a click may come later than the release: after a touch it does

export class Press {
  #timer = null; // runs as long as something is held down
  #next = null; // what is done afterwards; only the newest counts
  #follow = ({ type }) => this.#wait(type === "pointerup" ? CLICK_DELAY : 0);

  constructor(frame) {
    frame.addEventListener("pointerdown", ({ button }) => button === 0 && this.#begin(), true);
  }

  /** Do something: at once, or as soon as nothing is held down, in place of what was to be done then. */
  after(act) {
    if (this.#timer === null) act();
    else this.#next = act;
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = this.#next = null;
    for (const kind of ENDS) window.removeEventListener(kind, this.#follow, true);
  }

  #begin() {
    for (const kind of ENDS) window.addEventListener(kind, this.#follow, true);
    this.#wait(LONGEST);
  }

  /** End in a while; 0 is after all that the present event leads to. */
  #wait(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), milliseconds);
  }

  #end() {
    const next = this.#next;
    this.close();
    next?.();
  }
}

const ENDS = ["pointerup", "pointercancel", "click"];

// Fields that the page draws itself. What it draws stands in the page's own tree, in the place of the slot that the form
// has around its own control: that one is seen until the page has answered, and again should the page fail.

const ANSWERING = 5000; // milliseconds in which a renderer has to answer
const WANTED = "A renderer has to return a node, or { node, update, destroy }.";
const FOCUSABLE = "button, a[href], input, select, textarea, [tabindex], [contenteditable]";

export class PageFields {
  #surface;
  #pending;
  #fields = new Map(); // by the name of their slot

  /** `pending` sends something `later`, when nothing more is entered for a moment, or can `drop` it. */
  constructor(surface, pending) {
    this.#surface = surface;
    this.#pending = pending;
    surface.frame.addEventListener("click", ({ target }) => {
      const slot = target.closest("label")?.control?.closest("slot[data-field]");
      if (slot) this.focus(slot);
    });
  }

  /** Go on with what the new HTML has. */
  follow() {
    const slots = [...this.#surface.frame.querySelectorAll("slot[data-field]")];
    const names = new Set(slots.map(({ name }) => name));
    for (const [name, field] of this.#fields) {
      if (names.has(name)) continue;
      this.#fields.delete(name);
      field.remove();
    }
    for (const slot of slots) {
      const known = this.#fields.get(slot.name);
      if (known) known.follow(slot);
      else this.#fields.set(slot.name, new PageField(slot, this.#surface, this.#pending));
    }
  }

  /** Focus what the page has drawn in the place of an element, if it has; says whether it took the focus. */
  focus(element) {
    return this.#fields.get(element.closest("slot[data-field]")?.name)?.focus() ?? false;
  }

  close() {
    for (const field of this.#fields.values()) field.remove();
  }
}

class PageField {
  #slot;
  #surface;
  #pending;
  #place = document.createElement("div"); // what the page draws stands in it
  #drawn = null; // what the renderer has answered
  #timer;
  #giveUp; // the renderer, which takes too long
  #listing = 0; // choices that it waits for, which is none of its fault
  #isOver = false; // it has failed, or is gone
  #told; // the data that the page was last told
  #entered; // the value that the page has entered last, as JSON
  #isWaiting = false; // it has not been sent yet
  #isUnchecked = false; // it has not been looked at, as is done with what is typed once one goes on
  #unanswered = 0; // how often it was sent without an answer: until then it is newer than what the HTML says

  constructor(slot, surface, pending) {
    this.#slot = slot;
    this.#surface = surface;
    this.#pending = pending;
    this.#place.slot = slot.name;
    this.#place.addEventListener("focusout", ({ relatedTarget }) => this.#place.contains(relatedTarget) || this.#leave());
    void this.#draw();
  }

  follow(slot) {
    this.#slot = slot;
    if (!this.#drawn || slot.dataset.field === this.#told) return;
    this.#told = slot.dataset.field;
    this.#try(() => this.#drawn.update?.(this.#data()));
  }

  focus() {
    if (!this.#drawn) return false;
    const target = [...this.#place.querySelectorAll(FOCUSABLE)].find((element) => element.tabIndex >= 0 && !element.disabled);
    target?.focus();
    return Boolean(target);
  }

  remove() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#place.remove();
    const drawn = this.#drawn;
    this.#drawn = null;
    try {
      drawn?.destroy?.();
    } catch (error) {
      reportError(error);
    }
  }

  async #draw() {
    const { page, host, root } = this.#surface;
    try {
      this.#told = this.#slot.dataset.field;
      const late = new Promise((_, reject) => (this.#giveUp = reject));
      this.#limit();
      const answering = Promise.resolve(page.renderers[this.#slot.dataset.renderer](this.#data()));
      answering.then((answer) => this.#isOver && answer?.destroy?.()).catch(() => {}); // `late` or not, it is told below
      const answer = await Promise.race([answering, late]);
      if (this.#isOver) return;
      const drawn = answer instanceof Node ? { node: answer } : answer;
      if (!(drawn?.node instanceof Node)) throw new TypeError(WANTED);
      const hadFocus = this.#slot.contains(root.activeElement);
      this.#place.append(drawn.node);
      host.append(this.#place);
      this.#drawn = drawn;
      if (hadFocus && !this.focus()) {
        this.#place.tabIndex = -1; // there is nothing to focus yet, but it isn't to leave the form
        this.#place.focus();
      }
      this.follow(this.#slot);
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** From now on the renderer has all its time to answer. */
  #limit() {
    clearTimeout(this.#timer);
    if (this.#drawn || this.#isOver || this.#listing) return;
    const message = `The renderer has not answered for ${ANSWERING / 1000} seconds.`;
    this.#timer = setTimeout(() => this.#giveUp(new Error(message)), ANSWERING);
  }

  async #choices(name, about) {
    this.#listing++;
    this.#limit();
    try {
      const { sdk, functionName } = this.#surface.page;
      return await sdk.getChoices(functionName, name, about);
    } finally {
      this.#listing--;
      this.#limit();
    }
  }

  /** What the page is told of the field, and what it can do with it. */
  #data() {
    const { account, params, ...data } = JSON.parse(this.#slot.dataset.field);
    const { host, locale } = this.#surface;
    const theme = host.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    if (this.#isWaiting || this.#unanswered) data.value = JSON.parse(this.#entered);
    return {
      ...data,
      locale,
      theme,
      set: (value) => this.#set(value),
      choices: (about) => this.#choices(data.name, { ...about, params, connectedAccountId: account }),
      fail: (error) => this.#fail(error),
    };
  }

  #set(value) {
    if (this.#isOver) return;
    this.#entered = JSON.stringify(value ?? null);
    this.#isWaiting = this.#isUnchecked = true;
    this.#pending.later(this, () => this.#send("input"));
  }

  /** The user has gone on: what was entered is looked at, as with every other field. */
  #leave() {
    if (!this.#isUnchecked || this.#isOver) return;
    this.#isUnchecked = false;
    this.#pending.drop(this);
    void this.#send("change");
  }

  async #send(kind) {
    this.#isWaiting = false;
    this.#unanswered++;
    const { argument } = this.#slot.dataset;
    await this.#surface.gesture(kind, { action: "set-value", argument }, { value: this.#entered });
    this.#unanswered--;
  }

  #try(act) {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Our own control takes the place of what the page could not draw. */
  #fail(error) {
    if (this.#isOver) return;
    const hadFocus = this.#place.contains(document.activeElement);
    this.remove();
    if (hadFocus) this.#slot.querySelector(FOCUSABLE)?.focus();
    console.error(error);
    const message = String(error?.message ?? error);
    const failure = { code: "renderer_failed", message, status: null, error_details: [], request_id: "" };
    const { emitter, functionName } = this.#surface.page;
    emitter.emit("field-failed", { function: functionName, field: this.#slot.dataset.argument, error: failure });
  }
}

// Fields that the page draws itself. What it draws is in the page's own tree, and fills the slot that the form has
// around its own control. The form's control is shown until the page has answered, and again if the page fails.

const ANSWERING = 5000; // milliseconds in which a renderer has to answer
const WANTED = "A renderer has to return a node, or { node, update, destroy }.";
const FOCUSABLE = "button, a[href], input, select, textarea, [tabindex], [contenteditable]";

export class PageFields {
  #surface;
  #pending;
  #fields = new Map(); // by the name of their slot

  /** `pending` sends something `later`, once nothing more has been entered for a moment, or can `drop` it. */
  constructor(surface, pending) {
    this.#surface = surface;
    this.#pending = pending;
    surface.frame.addEventListener("click", ({ target }) => {
      const slot = target.closest("label")?.control?.closest("slot[data-field]");
      if (slot) this.focus(slot);
    });
  }

  /** Match the fields to the new HTML. */
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

  /** Focus what the page has drawn in place of an element, if anything; return whether it took the focus. */
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
  #place = document.createElement("div"); // holds what the page draws
  #drawn = null; // what the renderer has answered
  #timer;
  #giveUp; // rejects a renderer that takes too long
  #listing = 0; // how many lists of choices it waits for: that time doesn't count
  #isOver = false; // it has failed, or is gone
  #told; // the data that the page was last told
  #entered; // the last value that the page entered, as JSON
  #isWaiting = false; // the value has not been sent yet
  #isUnchecked = false; // the value has not been checked, as happens once the user leaves the field
  #unanswered = 0; // how often the value was sent without an answer: until then it is newer than the HTML's

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
      answering.then((answer) => this.#isOver && answer?.destroy?.()).catch(() => {}); // told below, also if it is late
      const answer = await Promise.race([answering, late]);
      if (this.#isOver) return;
      const drawn = answer instanceof Node ? { node: answer } : answer;
      if (!(drawn?.node instanceof Node)) throw new TypeError(WANTED);
      const hadFocus = this.#slot.contains(root.activeElement);
      this.#place.append(drawn.node);
      host.append(this.#place);
      this.#drawn = drawn;
      if (hadFocus && !this.focus()) {
        this.#place.tabIndex = -1; // there is nothing to focus yet, but the focus must not leave the form
        this.#place.focus();
      }
      this.follow(this.#slot);
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** Give the renderer its full time to answer, from now on. */
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

  /** Return what the page is told about the field, and what it can do with it. */
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

  /** Have the value checked once the user has left the field, as with every other field. */
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

  /** Show the form's own control in place of what the page could not draw. */
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

// Comboboxes: text fields with a list to choose from, as the ARIA pattern has them (focus stays in the field, and
// aria-activedescendant names the option that Enter takes). Only this code knows which list is open and which option is
// meant; what a list holds, and what a text stands for, is up to the screen. When a list is opened, the field's text is
// sent as if it had been typed, and the screen fills the list.

import {
  HIGHEST,
  isCombobox,
  optionsOf,
  partsOf,
  placeList,
  rowsOf,
  scrollToMeant,
  searchOf,
  wantedIn,
} from "./combobox_list.js";

const PAGE = 10; // options

export class Comboboxes {
  #surface;
  #unsend; // drops what was typed and isn't sent yet; returns whether there was anything
  #input = null; // the field whose list is open
  #meant = ""; // the id of the option that Enter takes
  // Which option is meant once the list has what the text finds: "first", "last", "chosen" or "only chosen". "chosen"
  // means the first option if none is chosen.
  #wanted = "";
  #hasMoved = false; // by keys, within the list
  #takesOnly = false; // Enter was pressed before the list was there: takes the option if there is only one
  #asked = -1; // the length of the list when more of it was asked for

  constructor(surface, unsend) {
    this.#surface = surface;
    this.#unsend = unsend;
    const { frame } = surface;
    frame.addEventListener("keydown", (event) => this.#onKey(event), true); // before Escape closes the dialog
    frame.addEventListener("input", ({ target }) => isCombobox(target) && this.#onInput(target));
    frame.addEventListener("focusout", ({ target }) => target === this.#input && this.#close());
    frame.addEventListener("mousedown", (event) => this.#onMouseDown(event));
    frame.addEventListener("click", (event) => this.#onClick(event));
    frame.addEventListener("scroll", (event) => this.#onScroll(event), true); // it doesn't bubble
    this.place = this.place.bind(this);
  }

  /** Mark new HTML, before it is shown, with what only this side knows. */
  mark(root) {
    const input = this.#input && root.querySelector(`#${CSS.escape(this.#input.id)}`);
    if (!input) return;
    const { list, popup } = partsOf(input);
    input.setAttribute("aria-expanded", "true");
    popup.hidden = false;
    if (this.#wanted && this.#isFresh(list)) {
      this.#meant = wantedIn(list, this.#wanted)?.id ?? "";
      this.#wanted = "";
    }
    const meant = rowsOf(list).find(({ id }) => id === this.#meant);
    for (const row of list.querySelectorAll("[data-meant]")) row.removeAttribute("data-meant");
    meant?.setAttribute("data-meant", "");
    if (meant) input.setAttribute("aria-activedescendant", meant.id);
    else input.removeAttribute("aria-activedescendant");
  }

  /** Go on with the list in the new HTML. */
  follow() {
    if (!this.#input) return;
    if (!this.#input.isConnected) return this.#forget();
    this.place();
    const { list } = partsOf(this.#input);
    scrollToMeant(list);
    if (this.#takesOnly && this.#isFresh(list)) {
      this.#takesOnly = false;
      const found = optionsOf(list);
      if (found.length === 1) return this.#take(found[0]);
    }
    this.#askForMore(list);
  }

  close() {
    this.#forget();
  }

  /** Put the open list where there is room for it. */
  place() {
    if (this.#input) placeList(this.#input);
  }

  #onKey(event) {
    const { target: input, key, altKey } = event;
    if (!isCombobox(input) || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (this.#input !== input) {
      if (key === "Backspace" && !input.value) partsOf(input).chips.at(-1)?.click();
      if (key !== "ArrowDown" && key !== "ArrowUp") return;
      this.#open(input, key === "ArrowUp" ? "last" : altKey ? "" : "chosen");
      this.#hasMoved = true;
    } else if (key === "Escape") {
      event.stopPropagation(); // the dialog stays
      this.#undo();
    } else if (key === "Enter") {
      this.#enter();
    } else if (key === "ArrowUp" && altKey) {
      this.#close();
    } else {
      const rows = rowsOf(partsOf(input).list);
      const at = rows.findIndex(({ id }) => id === this.#meant);
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity };
      const isInText = (key === "Home" || key === "End") && !this.#hasMoved;
      if (key === "Backspace" && !input.value) partsOf(input).chips.at(-1)?.click();
      if (!(key in steps) || isInText) return;
      this.#hasMoved = true;
      const next = at < 0 && key === "ArrowUp" ? rows.length - 1 : at + steps[key];
      this.#mean(rows[Math.max(0, Math.min(rows.length - 1, next))]);
    }
    event.preventDefault();
  }

  #onInput(input) {
    if (this.#input !== input) this.#show(input);
    this.#meant = "";
    this.#wanted = "first";
    this.#hasMoved = this.#takesOnly = false;
    if (this.#surface.early) this.#narrow(input);
    this.mark(this.#surface.frame);
    this.place();
  }

  #onMouseDown(event) {
    const box = event.target.closest("[data-combobox]");
    if (!box || event.target.closest("input, button")) return;
    event.preventDefault(); // the focus stays
    if (!event.target.closest(".combobox-popup")) box.querySelector("[role=combobox]").focus();
  }

  #onClick({ target }) {
    const row = target.closest("[role=option]");
    const isOpen = this.#input && target.closest("[data-combobox]") === partsOf(this.#input).box;
    if (row && isOpen) this.#take(row);
    else if (isCombobox(target) && !isOpen) {
      if (target.value && target.value === partsOf(target).box.dataset.label) target.select();
      this.#open(target, "only chosen");
    }
  }

  #onScroll({ target }) {
    if (!this.#input) return;
    const { list } = partsOf(this.#input);
    if (target === list) this.#askForMore(list);
    else this.place();
  }

  #open(input, wanted) {
    this.#show(input);
    this.#wanted = wanted;
    this.#unsend(input);
    this.#send("input", input, searchOf(input));
    this.mark(this.#surface.frame);
    this.follow();
  }

  #show(input) {
    if (this.#input) this.#close();
    this.#input = input;
    this.#meant = this.#wanted = "";
    this.#hasMoved = this.#takesOnly = false;
    this.#asked = -1;
    for (const target of [window, window.visualViewport]) target?.addEventListener("resize", this.place);
    window.addEventListener("scroll", this.place, true);
  }

  #close() {
    if (!this.#input.isConnected) return this.#forget();
    const { popup } = partsOf(this.#input);
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    popup.hidden = true;
    this.#forget();
  }

  #forget() {
    this.#input = null;
    for (const target of [window, window.visualViewport]) target?.removeEventListener("resize", this.place);
    window.removeEventListener("scroll", this.place, true);
  }

  /** Go back to what was chosen before. */
  #undo() {
    const input = this.#input;
    const isTyped = this.#unsend(input) || input.value !== partsOf(input).box.dataset.label;
    input.value = partsOf(input).box.dataset.label;
    input.select(); // what is typed next replaces it
    this.#close();
    if (isTyped) this.#send("input", input, "");
  }

  #enter() {
    const input = this.#input;
    const { list } = partsOf(input);
    const meant = rowsOf(list).find(({ id }) => id === this.#meant);
    if (meant) return this.#take(meant);
    const wasWaiting = this.#unsend(input);
    if (this.#isFresh(list) && !wasWaiting) {
      this.#close();
      if (searchOf(input)) this.#send("change", input, input.value);
      return;
    }
    this.#takesOnly = true;
    if (wasWaiting) this.#send("input", input, searchOf(input));
  }

  #take(row) {
    const input = this.#input;
    const { box } = partsOf(input);
    const { argument } = input.dataset;
    this.#unsend(input);
    if (row.dataset.act) {
      this.#surface.gesture("click", { action: row.dataset.act, argument });
      return;
    }
    const { value } = row.dataset;
    const isSeveral = "several" in box.dataset;
    if (isSeveral) {
      row.setAttribute("aria-selected", String(row.getAttribute("aria-selected") !== "true"));
      input.value = "";
      this.#surface.gesture("click", { action: "set", argument }, { value }, input);
      return;
    }
    input.value = box.dataset.label = row.classList.contains("combobox-act") ? value : row.textContent;
    input.select();
    this.#close();
    this.#surface.gesture("change", { action: "set", argument }, { value }, input);
  }

  #mean(row) {
    this.#meant = row?.id ?? "";
    this.mark(this.#surface.frame);
    scrollToMeant(partsOf(this.#input).list);
  }

  #askForMore(list) {
    const isNearEnd = list.scrollTop + list.clientHeight > list.scrollHeight - HIGHEST / 2;
    if (!("more" in list.dataset) || !isNearEnd || this.#asked === list.childElementCount) return;
    if (list.childElementCount === 0) return; // it is on its way
    this.#asked = list.childElementCount;
    this.#surface.gesture("click", { action: "load-more", argument: this.#input.dataset.argument });
  }

  /** Whether the list has what the text finds, and isn't being loaded. */
  #isFresh(list) {
    return list.dataset.search === searchOf(this.#input).trim() && list.getAttribute("aria-busy") !== "true";
  }

  /** Until the screen is there, hide options that lack a word that was typed. */
  #narrow(input) {
    const { list, note } = partsOf(input);
    if (!list.childElementCount) return;
    const words = searchOf(input).toLowerCase().trim().split(/\s+/);
    const options = optionsOf(list, true);
    for (const option of options) option.hidden = !words.every((word) => option.textContent.toLowerCase().includes(word));
    list.dataset.search = searchOf(input).trim();
    note.textContent = options.some(({ hidden }) => !hidden) ? "" : this.#surface.early.words;
  }

  #send(kind, { dataset }, value) {
    this.#surface.gesture(kind, dataset, { value });
  }
}

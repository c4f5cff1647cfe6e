/** Where a marketplace is shown: over the page, or inside an element of it. */
export const RenderModes = Object.freeze({ MODAL: "modal", INLINE: "inline" });
